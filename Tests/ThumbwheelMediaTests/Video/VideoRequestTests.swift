import FixtureKit
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelCore
import ThumbwheelMedia
import ThumbwheelRendering

/// Requests of an image manager for the frames of videos.
@Suite(
    "Requests for frames", .enabled(if: ClipPicture.maker != nil, "the command ffmpeg is not installed"),
    .takesTurns, .endsHangs)
struct VideoRequestTests {
    private static let size = PixelSize(width: 64, height: 36)

    private static func manager() throws -> ImageManager {
        ImageManager.undisturbed {
            $0.workerCount = 1
            $0.memoryBudget = 1 << 28
        }
    }

    private static func asset(_ source: AssetResource.Source) throws -> Asset {
        try Asset(
            reading: AssetResource(type: .video, source: source), identifier: .random(), originalFilename: "a.mov")
    }

    @Test("the cover is the degraded image, and a frame is the final one", arguments: [false, true])
    func cover(isPNG: Bool) async {
        await #expect(processExitsWith: .success) { [isPNG] in try await Self.requestCover(isPNG: isPNG) }
    }

    private static func requestCover(isPNG: Bool) async throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let large = Clip(
            "large.mp4", encoder: "libx264", Clip.Pictures(width: 1280, height: 720, seconds: 1, hasSound: false))
        let picture =
            isPNG
            ? Clip(
                "cover.png", encoder: "png", Clip.Pictures(width: 160, height: 90, hasSound: false),
                ["-frames:v", "1"])
            : try ClipLibrary.clip("cover.jpg")
        guard let clip = try ClipPicture(large, in: folder), let picture = try ClipPicture(picture, in: folder)
        else { return }
        let path = folder.path + "/covered.mp4"
        _ = try ClipMaker.output(
            try #require(ClipMaker.path(of: "ffmpeg")),
            ["-loglevel", "error", "-nostdin", "-i", clip.path, "-i", picture.path, "-map", "0"]
                + ["-map", "1", "-c", "copy", "-disposition:v:1", "attached_pic", path])
        let (manager, asset) = (try manager(), try asset(.file(path: path)))
        var images: [DeliveredImage] = []
        for try await image in manager.images(for: asset, targetSize: size) { images.append(image) }
        #expect(images.map(\.info.isDegraded) == [true, false])
        #expect(images.map(\.info.source) == [.embedded, .full])
        #expect(asset.thumbHash != nil && asset.pixelSize == PixelSize(width: 1280, height: 720))
        // A fast request is content with the cover.
        let other = try self.asset(.file(path: path))
        let fast = ImageRequestOptions { $0.deliveryMode = .fast }
        for try await image in manager.images(for: other, targetSize: size, options: fast) {
            #expect(image.info.source == .embedded)
        }
        await manager.shutdown()
    }

    @Test("a strip is decoded in one pass, and each of its frames is cached")
    func strip() async {
        await #expect(processExitsWith: .success) { try await Self.requestStrip() }
    }

    private static func requestStrip() async throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let pictures = Clip.Pictures(rate: "30", seconds: 6, hasSound: false)
        let strip = Clip("strip.mp4", encoder: "libx264", pictures, ["-g", "30", "-bf", "0", "-sc_threshold", "0"])
        guard let clip = try ClipPicture(strip, in: folder) else { return }
        let (manager, asset) = (try manager(), try asset(.file(path: clip.path)))
        let times = [5.0, 0, 1, 2, 3, 4]
        let frames = try await manager.frames(of: asset, at: times, targetSize: size)
        let renders = manager.statistics.renders
        #expect(renders.started == 1 && renders.shared == 5, "\(renders)")
        for (time, frame) in zip(times, frames) {
            let difference = ClipPicture.difference(
                frame, try clip.reference(width: size.width, height: size.height, at: time))
            #expect(difference < 4, "\(time): \(difference)")
        }
        // Each frame comes from the cache, and so does the same strip.
        let again = try await manager.frames(of: asset, at: times.reversed(), targetSize: size)
        #expect(zip(again, frames.reversed()).allSatisfy { $0 === $1 })
        let one = ImageRequestOptions { $0.frameTime = 3 }
        #expect(try await manager.image(for: asset, targetSize: size, options: one) === frames[4])
        #expect(manager.statistics.renders.started == 1)
        await #expect(throws: ImageRequestError.self) {
            try await manager.frames(of: asset, at: [1, -1], targetSize: size)
        }
        #expect(try await manager.frames(of: asset, at: [], targetSize: size).isEmpty)
        await manager.shutdown()
    }

    @Test("of a video elsewhere only ranges are fetched, and nothing where ranges are not offered")
    func elsewhere() async {
        await #expect(processExitsWith: .success) { try await Self.requestElsewhere() }
    }

    private static func requestElsewhere() async throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let pictures = Clip.Pictures(width: 640, height: 360, seconds: 8)
        let long = Clip("far.mp4", encoder: "libx264", pictures, ["-b:v", "4M", "-maxrate", "4M", "-bufsize", "1M"])
        guard let clip = try ClipPicture(long, in: folder) else { return }
        let bytes = try clip.bytes
        let options = ImageRequestOptions { $0.isNetworkAccessAllowed = true }
        for offersRanges in [true, false] {
            let provider = StepwiseProvider(bytes, requiresNetwork: true, offersRanges: offersRanges)
            let (manager, asset) = (try manager(), try asset(.provider(provider)))
            let before = provider.readByteCount
            if offersRanges {
                let image = try await manager.image(for: asset, targetSize: size, options: options)
                #expect(image.size == size)
                #expect(provider.readByteCount - before < bytes.count / 2, "\(provider.readByteCount - before)")
            } else {
                await #expect(throws: ImageRequestError.unsupportedMedia) {
                    try await manager.image(for: asset, targetSize: size, options: options)
                }
                #expect(provider.readByteCount == before)
            }
            await manager.shutdown()
        }
    }

    @Test("a video elsewhere that cannot be decoded is not fetched as a whole")
    func undecodable() async {
        await #expect(processExitsWith: .success) { try await Self.requestUndecodable() }
    }

    private static func requestUndecodable() async throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let pictures = Clip.Pictures(width: 640, height: 360, seconds: 4, hasSound: false)
        let flash = Clip("flash.avi", encoder: "flv", pictures, ["-b:v", "4M"])
        guard let clip = try ClipPicture(flash, in: folder) else { return }
        let options = ImageRequestOptions { $0.isNetworkAccessAllowed = true }
        let provider = StepwiseProvider(try clip.bytes, requiresNetwork: true, offersRanges: true)
        let (manager, asset) = (try manager(), try asset(.provider(provider)))
        let before = provider.readByteCount
        await #expect(throws: ImageRequestError.rendering(.unsupportedFormat)) {
            try await manager.image(for: asset, targetSize: size, options: options)
        }
        #expect(provider.readByteCount - before < 256 << 10, "\(provider.readByteCount - before)")
        #expect(try clip.bytes.count > 1 << 20)
        await manager.shutdown()
    }

    @Test("of a video elsewhere one frame is fetched, and others only where it is black")
    func fewFrames() async {
        await #expect(processExitsWith: .success) { try await Self.requestFewFrames() }
    }

    private static func requestFewFrames() async throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let size = PixelSize(width: 320, height: 180)
        // Larger frames without colours would count as those of BT.709, which ffmpeg does not assume.
        let pictures = Clip.Pictures(width: 960, height: 540, rate: "10", seconds: 5, hasSound: false)
        for (name, filter) in [("bright.mp4", "null"), ("dark.mp4", "drawbox=enable='lt(t,1.5)':color=black:t=fill")] {
            let clip = Clip(
                name, encoder: "libx264", pictures,
                ["-g", "10", "-bf", "0", "-sc_threshold", "0", "-qp", "14", "-movflags", "+faststart", "-vf", filter])
            guard let picture = try ClipPicture(clip, in: folder) else { continue }
            let provider = StepwiseProvider(try picture.bytes, requiresNetwork: true, offersRanges: true)
            let (manager, asset) = (try manager(), try asset(.provider(provider)))
            let before = provider.readByteCount
            let options = ImageRequestOptions { $0.isNetworkAccessAllowed = true }
            let image = try await manager.image(for: asset, targetSize: size, options: options)
            let shown = try picture.reference(
                width: size.width, height: size.height, at: name == "dark.mp4" ? 2 : 0)
            let difference = ClipPicture.difference(image, shown)
            #expect(difference < 4, "\(name): \(difference)")
            let sizes = String(
                decoding: try ClipMaker.output(
                    try #require(ClipMaker.path(of: "ffprobe")),
                    ["-loglevel", "error", "-read_intervals", "%+#1", "-show_entries", "packet=size", "-of", "csv=p=0"]
                        + [picture.path]), as: UTF8.self)
            let frame = try #require(Int(sizes.prefix { $0.isNumber }))
            // The front of the file, which holds the index, and blocks that are read in part.
            let read = provider.readByteCount - before
            if name == "bright.mp4" { #expect(read < frame + 192 << 10, "\(read), and the frame has \(frame)") }
            #expect(read < (try picture.bytes.count), "\(name): \(read)")
            await manager.shutdown()
        }
    }

    @Test("program and transport streams, which have no header, are videos without images")
    func streams() async {
        await #expect(processExitsWith: .success) { try await Self.requestStreams() }
    }

    private static func requestStreams() async throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let pictures = Clip.Pictures(seconds: 1)
        for (name, type) in [("a.ts", ContentType.mpegTransportStream), ("a.mpg", .mpeg), ("a.vob", .mpeg)] {
            guard let clip = try ClipPicture(Clip(name, encoder: "mpeg2video", pictures), in: folder) else { continue }
            let provider = StepwiseProvider(try clip.bytes, requiresNetwork: true, offersRanges: true)
            for source in [AssetResource.Source.file(path: clip.path), .provider(provider)] {
                let (manager, asset) = (try manager(), try asset(source))
                #expect(asset.contentType == type && asset.mediaType == .video && asset.pixelSize == .zero)
                let options = ImageRequestOptions { $0.isNetworkAccessAllowed = true }
                let before = provider.readByteCount
                await #expect(throws: ImageRequestError.unsupportedMedia, "\(name)") {
                    try await manager.image(for: asset, targetSize: size, options: options)
                }
                await #expect(throws: ImageRequestError.unsupportedMedia, "\(name)") {
                    try await manager.frames(of: asset, at: [0, 0.5], targetSize: size, options: options)
                }
                #expect(provider.readByteCount == before)
                await manager.shutdown()
            }
        }
    }

    @Test("a photograph has no times: the option makes no second image of it")
    func photograph() async throws {
        let manager = try Self.manager()
        let picture = Bitmap(size: PixelSize(width: 96, height: 64), format: .rgb) { _ in }
        let asset = try Asset(
            reading: AssetResource(type: .photo, source: .bytes(picture.encoded(as: .png))), identifier: .random(),
            originalFilename: "a.png")
        let first = try await manager.image(for: asset, targetSize: Self.size)
        let timed = ImageRequestOptions { $0.frameTime = 3 }
        #expect(try await manager.image(for: asset, targetSize: Self.size, options: timed) === first)
        await manager.shutdown()
    }
}
