import FixtureKit
import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelMedia
import ThumbwheelRendering

/// A clip that ffmpeg has made, with the pictures that ffmpeg and this library make of it.
///
/// Installing a decoder of videos changes a whole process, so the tests that do it run in processes of their own.
struct ClipPicture {
    static let maker = ClipMaker()
    let path: String
    let source: any ByteSource

    /// - Returns: nil if ffmpeg lacks the clip's encoder, which is printed.
    init?(_ clip: Clip, in folder: ScratchFolder) throws {
        let maker = try #require(Self.maker)
        guard maker.canMake(clip) else {
            print("skipped \(clip.name): ffmpeg lacks an encoder")
            return nil
        }
        path = try maker.make(clip, in: folder.path)
        source = try FileByteSource(path: path)
    }

    init?(named name: String, in folder: ScratchFolder) throws {
        try self.init(ClipLibrary.clip(name), in: folder)
    }

    var bytes: [UInt8] { get throws { try source.bytes() } }

    /// The library's picture of a frame.
    func image(
        width: Int, height: Int, at seconds: Double? = nil, range: PixelRange = .standard
    ) throws -> RenderedImage {
        var options = RenderOptions(
            targetSize: PixelSize(width: width, height: height), contentMode: .aspectFill, resizeMode: .exact)
        options.frameTime = seconds
        options.pixelRange = range
        return try Self.render(source, options)
    }

    static func render(
        _ source: any ByteSource, _ options: RenderOptions, limits: RenderLimits = RenderLimits(),
        cancellation: CancellationToken? = nil
    ) throws -> RenderedImage {
        let facts = try PhotographFacts(readingVideo: source)
        return try Renderer().render(
            source, head: facts.head, options: options, limits: limits, cancellation: cancellation)
    }

    /// ffmpeg's picture of a frame, as rows of red, green and blue.
    ///
    /// - Parameter filters: filters in front of the one that scales.
    func reference(width: Int, height: Int, at seconds: Double = 0, filters: String = "") throws -> [UInt8] {
        let ffmpeg = try #require(ClipMaker.path(of: "ffmpeg"))
        let scale = "scale=\(width):\(height):flags=lanczos+accurate_rnd+full_chroma_int+full_chroma_inp"
        return try [UInt8](
            ClipMaker.output(
                ffmpeg,
                ["-loglevel", "error", "-nostdin", "-ss", "\(seconds)", "-i", path, "-frames:v", "1", "-vf"]
                    + [filters + scale, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]))
    }

    /// The mean difference of a picture's samples from others, in 8-bit levels.
    static func difference(_ image: Bitmap, _ reference: [UInt8]) -> Double {
        image.withUnsafeBytes { samples in
            guard samples.count == reference.count else { return .infinity }
            return zip(samples, reference).reduce(0) { $0 + abs(Double($1.0) - Double($1.1)) } / Double(samples.count)
        }
    }
}
