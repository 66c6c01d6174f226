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
        /// The largest number of bytes that may be read.
        package let byteLimit: Int
        /// Returns the error with which the decode must stop now; nil while the decode may continue. It is called
        /// whenever the decoder reads, and before each frame is decoded.
        package let interruption: () -> RenderError?

        package init(
            bytes: any ByteSource, contentType: ContentType, codedSize: PixelSize, byteLimit: Int,
            interruption: @escaping () -> RenderError?
        ) {
            self.bytes = bytes
            self.contentType = contentType
            self.codedSize = codedSize
            self.byteLimit = byteLimit
            self.interruption = interruption
        }
    }

    package typealias Maker = @Sendable (Input) throws(RenderError) -> any VideoDecoder

    private static let installed = InstalledDecoder<Maker>()

    /// Installs a decoder of videos. A decoder that is installed already is not replaced.
    package static func install(_ make: @escaping Maker) { installed.install(make) }

    /// Whether a host has installed a decoder. If not, a video is shown by its cover picture, if it has one.
    package static var isInstalled: Bool { installed.isInstalled }

    static func make(_ input: Input) throws(RenderError) -> any VideoDecoder {
        guard let make = installed.maker else { throw .unsupportedFormat }
        return try make(input)
    }
}
