import ThumbwheelCore
import ThumbwheelFormats

/// The decoder of videos that the host (the program that uses this library) has installed, if any. Without one, the
/// cover picture in a video's file is the only picture of the video.
package enum VideoDecoders {
    /// The video that a decoder is made for, and the limits of the decode.
    package struct Input {
        package let bytes: any ByteSource
        package let contentType: ContentType
        /// The size of the coded frames as the container states it. A frame of more pixels must be refused, because its
        /// decode would take more memory than was predicted.
        package let codedSize: PixelSize
        /// Whether the movie goes on in fragments, each with an index of its own.
        package let isFragmented: Bool
        /// The positions of the boxes of sound tracks in a QuickTime, MP4 or 3GPP file. Their indexes may be larger than
        /// that of the frames, and are not needed for pictures. Empty for a movie in fragments, which name all tracks.
        package let soundTracks: [Int]
        /// Whether the file ends before its header says that it ends.
        package let isCutShort: Bool
        /// The largest number of bytes that may be read.
        package let byteLimit: Int
        /// The largest number of entries of the index, which is built in memory.
        package let indexLimit: Int
        /// Returns the error with which the decode must stop now; nil while the decode may continue. It is called
        /// whenever the decoder reads, and before each frame is decoded.
        package let interruption: () -> RenderError?

        /// Whether the file is of QuickTime's family, the only one with fragments.
        package var isMovie: Bool { [.mp4, .quickTime, .threeGPP].contains(contentType) }

        /// Makes the input for a video.
        ///
        /// - Throws: `.limitExceeded(.memory)` if the header states an index that is too large.
        package init(
            bytes: any ByteSource, head: VideoHead, limits: RenderLimits, byteLimit: Int,
            interruption: @escaping () -> RenderError?
        ) throws(RenderError) {
            self.bytes = bytes
            contentType = head.contentType
            codedSize = head.codedSize
            isFragmented = head.isFragmented
            soundTracks = head.isFragmented ? [] : head.soundTracks
            isCutShort = head.isCutShort
            self.byteLimit = byteLimit
            indexLimit = limits.memoryByteCount / Self.indexShare / VideoDecoders.bytesPerIndexEntry
            self.interruption = interruption
            guard head.indexCount <= indexLimit else { throw .limitExceeded(limit: .memory) }
        }

        /// The part of the memory limit that the index may take is one divided by this number. The most that a day of
        /// frames and sound needs is a third of the default limit.
        private static let indexShare = 2
    }

    /// The memory that an entry of the index takes: its place, time and length, and the delay of a frame that is stored
    /// before it is shown.
    static let bytesPerIndexEntry = 40

    package typealias Maker = @Sendable (Input) throws(RenderError) -> any VideoDecoder

    private static let installed = InstalledDecoder<Maker>()

    /// Installs a decoder of videos. A decoder that is installed already is not replaced.
    ///
    /// - Parameter version: the version of the library that decodes. Pictures of another version are not found in
    ///   stores.
    package static func install(version: String, _ make: @escaping Maker) { installed.install(make, version: version) }

    /// The version of the library that the installed decoder uses; nil if a host has installed none.
    static var version: String? { installed.version }

    /// Whether a host has installed a decoder. If not, a video is shown by its cover picture, if it has one.
    package static var isInstalled: Bool { installed.isInstalled }

    static func make(_ input: Input) throws(RenderError) -> any VideoDecoder {
        guard let make = installed.maker else { throw .unsupportedFormat }
        return try make(input)
    }
}
