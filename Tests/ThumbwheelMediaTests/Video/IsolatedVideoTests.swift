import FixtureKit
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelCore
import ThumbwheelMedia
import ThumbwheelRendering

#if os(Linux)
/// Frames of videos that are decoded outside the process, by programs with and without a decoder of videos.
@Suite(
    "Videos outside the process", .enabled(if: ClipPicture.maker != nil, "the command ffmpeg is not installed"),
    .takesTurns, .endsHangs)
struct IsolatedVideoTests {
    private static let size = PixelSize(width: 64, height: 36)

    private static func manager(decoder: String) throws -> ImageManager {
        ImageManager.undisturbed {
            $0.workerCount = 1
            $0.memoryBudget = 1 << 28
            $0.isolation = .untrusted
            $0.decoderPath = decoder
        }
    }

    private static func asset(_ source: AssetResource.Source) throws -> Asset {
        try Asset(
            reading: AssetResource(type: .video, source: source), identifier: .random(), originalFilename: "a.mp4")
    }

    @Test(
        "a program without a decoder of videos leaves their covers",
        .enabled(if: BuiltExecutable.path("thumbwheel-decoder") != nil, "thumbwheel-decoder is not built"))
    func without() async {
        await #expect(processExitsWith: .success) { try await Self.requestWithout() }
    }

    private static func requestWithout() async throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        guard let covered = try ClipPicture(named: "cover.mp4", in: folder),
            let plain = try ClipPicture(named: "h264.mp4", in: folder)
        else { return }
        let manager = try manager(decoder: try #require(BuiltExecutable.path("thumbwheel-decoder")))
        let remote = StepwiseProvider(try covered.bytes, requiresNetwork: true, offersRanges: true)
        for source in [AssetResource.Source.file(path: covered.path), .provider(remote)] {
            let options = ImageRequestOptions { $0.isNetworkAccessAllowed = true }
            var last: DeliveredImage?
            for try await image in manager.images(for: try asset(source), targetSize: size, options: options) {
                last = image
            }
            #expect(last?.info.source == .embedded && last?.info.isDegraded == false)
        }
        // One without a cover fails, but not as a file that cannot be decoded.
        let video = try asset(.file(path: plain.path))
        await #expect {
            try await manager.image(for: video, targetSize: size)
        } throws: { error in
            if case .rendering(.unavailable)? = error as? ImageRequestError { true } else { false }
        }
        await manager.shutdown()
    }

    @Test(
        "a program with a decoder of videos makes their frames",
        .enabled(if: BuiltExecutable.path("thumbwheel-media-decoder") != nil, "thumbwheel-media-decoder is not built"))
    func with() async {
        await #expect(processExitsWith: .success) { try await Self.requestWith() }
    }

    private static func requestWith() async throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let pictures = Clip.Pictures(rate: "25", seconds: 6, hasSound: false)
        let clip = Clip("sparse.mp4", encoder: "libx264", pictures, ["-g", "250", "-movflags", "+faststart"])
        guard let picture = try ClipPicture(clip, in: folder) else { return }
        let manager = try manager(decoder: try #require(BuiltExecutable.path("thumbwheel-media-decoder")))
        let remote = StepwiseProvider(try picture.bytes, requiresNetwork: true, offersRanges: true)
        for source in [AssetResource.Source.file(path: picture.path), .provider(remote)] {
            let options = ImageRequestOptions { $0.isNetworkAccessAllowed = true }
            let asset = try asset(source)
            let poster = try await manager.image(for: asset, targetSize: size, options: options)
            let frames = try await manager.frames(of: asset, at: [2, 4], targetSize: size, options: options)
            for (image, time) in zip([poster] + frames, [0.0, 2, 4]) {
                let shown = try picture.reference(width: size.width, height: size.height, at: time)
                #expect(ClipPicture.difference(image, shown) < 5, "\(time)")
            }
        }
        #expect((manager.decoderStatistics?.jobs ?? 0) > 0)
        await manager.shutdown()
    }

    @Test(
        "of a video elsewhere no more is fetched for a poster than without isolation",
        .enabled(if: BuiltExecutable.path("thumbwheel-media-decoder") != nil, "thumbwheel-media-decoder is not built"))
    func elsewhere() async {
        await #expect(processExitsWith: .success) { try await Self.requestElsewhere() }
    }

    private static func requestElsewhere() async throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let pictures = Clip.Pictures(width: 960, height: 540, rate: "10", seconds: 5, hasSound: false)
        for (name, filter) in [("bright.mp4", "null"), ("dark.mp4", "drawbox=enable='lt(t,1.5)':color=black:t=fill")] {
            let clip = Clip(
                name, encoder: "libx264", pictures,
                ["-g", "10", "-bf", "0", "-sc_threshold", "0", "-qp", "14", "-movflags", "+faststart", "-vf", filter])
            guard let picture = try ClipPicture(clip, in: folder) else { continue }
            var (counts, images): ([Int], [Bitmap]) = ([], [])
            for decoder in [nil, BuiltExecutable.path("thumbwheel-media-decoder")] {
                let manager = ImageManager.undisturbed {
                    $0.workerCount = 1
                    $0.memoryBudget = 1 << 28
                    $0.isolation = decoder == nil ? .none : .untrusted
                    $0.decoderPath = decoder
                }
                let provider = StepwiseProvider(try picture.bytes, requiresNetwork: true, offersRanges: true)
                let asset = try asset(.provider(provider))
                let before = provider.readByteCount
                let options = ImageRequestOptions { $0.isNetworkAccessAllowed = true }
                images.append(try await manager.image(for: asset, targetSize: size, options: options))
                counts.append(provider.readByteCount - before)
                #expect((manager.decoderStatistics?.jobs ?? 0) > 0 || decoder == nil)
                await manager.shutdown()
            }
            #expect(counts[1] <= counts[0], "\(name): \(counts)")
            #expect(images[0].withUnsafeBytes { one in images[1].withUnsafeBytes { $0.elementsEqual(one) } }, "\(name)")
        }
    }
}
#endif
