import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering

/// A video as a player or a service needs it: its tracks with the parameters of their codecs, its duration, and its
/// bytes, which can be read in any ranges.
public struct Movie: Sendable {
    /// The resource with the bytes.
    public let resource: AssetResource
    /// The unchanged bytes of the file. If they are not stored locally, each read goes over the network, on the thread
    /// that reads.
    public let bytes: any ByteSource
    /// The facts in the header of the file, and its tracks.
    public let contents: VideoContents

    /// The type of the file, without its codecs.
    public var contentType: ContentType { contents.head.contentType }
    /// The type of the file with its codecs, such as `video/mp4; codecs="avc1.64001F, mp4a.40.2"`.
    public var mediaType: String { contents.mediaType }
    /// The number of bytes of the file.
    public var byteCount: Int { bytes.byteCount }
    /// The duration in seconds; 0 if the file does not state it.
    public var duration: Double { contents.head.duration }
    /// The size in which the video is shown, upright.
    public var pixelSize: PixelSize { contents.head.displaySize }
    /// The tracks in the order of the file.
    public var tracks: [MediaTrack] { contents.tracks }
    /// The time of a Live Photo's still, in seconds from the beginning; nil if the file does not state it.
    public var stillTime: Double? { contents.head.stillTime }

    /// Opens a resource and reads its header, on the calling thread.
    init(_ resource: AssetResource, checking token: CancellationToken) throws(ImageRequestError) {
        let opened: any ByteSource
        do throws(ByteSourceError) {
            opened = try resource.open()
        } catch {
            throw ImageRequestError(.source(error))
        }
        do throws(HeadError) {
            contents = try VideoContents(reading: StoppableSource(opened, token))
        } catch {
            throw ImageRequestError(RenderError(error))
        }
        self.resource = resource
        bytes = opened
    }
}

/// A source whose reads fail once a token is cancelled.
private struct StoppableSource: ByteSource {
    private let source: any ByteSource
    private let token: CancellationToken

    init(_ source: any ByteSource, _ token: CancellationToken) {
        self.source = source
        self.token = token
    }

    var byteCount: Int { source.byteCount }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        guard !token.isCancelled else { throw .network(.cancelled) }
        return try source.read(into: buffer, at: offset)
    }
}
