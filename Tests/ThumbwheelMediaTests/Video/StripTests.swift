import FixtureKit
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelMedia
import ThumbwheelRendering

/// Several frames of one pass.
@Suite(
    "Strips", .enabled(if: ClipPicture.maker != nil, "the command ffmpeg is not installed"),
    .takesTurns, .endsHangs)
struct StripTests {
    private static let size = PixelSize(width: 160, height: 90)

    private static func options(_ times: [Double]) -> [RenderOptions] {
        times.map { time in
            var options = RenderOptions(targetSize: size, contentMode: .aspectFill, resizeMode: .exact)
            options.frameTime = time
            return options
        }
    }

    private static func strip(
        _ bytes: [UInt8], of picture: ClipPicture, at times: [Double]
    ) throws -> [Result<RenderedImage, RenderError>] {
        let head = try PhotographFacts(readingVideo: picture.source).head
        return try Renderer().render(MemoryByteSource(bytes), head: head, options: options(times))
    }

    @Test("a frame that cannot be had fails alone")
    func damage() async {
        await #expect(processExitsWith: .success) { try await Self.renderDamage() }
    }

    private static func renderDamage() async throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let pictures = Clip.Pictures(rate: "30", seconds: 6, hasSound: false)
        let clip = Clip(
            "cut.mp4", encoder: "libx264", pictures,
            ["-g", "30", "-bf", "0", "-sc_threshold", "0", "-movflags", "+faststart"])
        guard let picture = try ClipPicture(clip, in: folder) else { return }
        let bytes = try picture.bytes
        let cut = Array(bytes.prefix(bytes.count / 2))
        let results = try strip(cut, of: picture, at: [5.5, 0, 1])
        #expect(throws: RenderError.truncated(decodedFraction: 0)) { try results[0].get() }
        for (index, time) in [(1, 0.0), (2, 1)] {
            let shown = try picture.reference(width: size.width, height: size.height, at: time)
            #expect(ClipPicture.difference(try results[index].get().bitmap, shown) < 3)
        }

        let manager = ImageManager.undisturbed {
            $0.workerCount = 1
            $0.memoryBudget = 1 << 28
        }
        let asset = try Asset(
            reading: AssetResource(type: .video, source: .bytes(cut)), identifier: .random(),
            originalFilename: "a.mp4")
        let log = AnswerLog<String>()
        manager.requestFrames(of: asset, at: [0, 5.5], targetSize: size) { index, result in
            switch result {
            case .final: log.receive("\(index) final")
            case .failed(let error, _): log.receive("\(index) \(error == .rendering(.truncated(decodedFraction: 0)))")
            default: log.receive("\(index) other")
            }
        }
        #expect(await log.wait(for: 2).sorted() == ["0 final", "1 true"])
        await manager.shutdown()
    }

    @Test("where the index of all fragments is beyond the bound of bytes, each frame comes or fails by itself")
    func boundedFragments() async {
        await #expect(processExitsWith: .success) { try Self.renderBounded() }
    }

    private static func renderBounded() throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let pictures = Clip.Pictures(rate: "25", seconds: 6, hasSound: false)
        let clip = Clip(
            "bounded.mp4", encoder: "libx264", pictures,
            ["-g", "5", "-sc_threshold", "0", "-movflags", "frag_keyframe+empty_moov"])
        guard let picture = try ClipPicture(clip, in: folder) else { return }
        let bytes = try picture.bytes
        let head = try PhotographFacts(readingVideo: picture.source).head
        var failureCount = 0
        for byteLimit in stride(from: 8 << 10, to: bytes.count * 2, by: 8 << 10) {
            let strip = try? Renderer().render(
                MemoryByteSource(bytes), head: head, options: options([5.5, 3, 4.2, 0.5]),
                limits: RenderLimits(byteCount: byteLimit))
            for case .failure(let error) in strip ?? [] {
                #expect(error == .limitExceeded(limit: .bytes))
                failureCount += 1
            }
        }
        #expect(failureCount > 0)
    }

    @Test("a strip of key frames two seconds apart is made of them, and shows none that is more than a second away")
    func nearKeyFrames() async {
        await #expect(processExitsWith: .success) { try Self.renderNear() }
    }

    private static func renderNear() throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let pictures = Clip.Pictures(rate: "30", seconds: 10, hasSound: false)
        let clip = Clip("near.mp4", encoder: "libx264", pictures, ["-g", "60", "-sc_threshold", "0"])
        guard let picture = try ClipPicture(clip, in: folder) else { return }
        let times = (0...8).map(Double.init)
        for (time, result) in zip(times, try strip(picture.bytes, of: picture, at: times)) {
            let image = try result.get().bitmap
            let differences = try [time - 1, time, time + 1].map { time in
                ClipPicture.difference(
                    image, try picture.reference(width: size.width, height: size.height, at: max(0, time)))
            }
            let isKeyFrame = time.truncatingRemainder(dividingBy: 2) == 0
            let nearest = isKeyFrame ? differences[1] : min(differences[0], differences[2])
            #expect(nearest < 3, "at \(time): \(differences)")
            #expect(isKeyFrame || differences[1] > 3, "the frame at \(time) looks like a key frame: \(differences)")
        }
    }

    @Test("where key frames are far apart, the frames themselves are shown")
    func sparseKeyFrames() async {
        await #expect(processExitsWith: .success) { try Self.renderSparse() }
    }

    private static func renderSparse() throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        let pictures = Clip.Pictures(rate: "25", seconds: 10, hasSound: false)
        for (name, options) in [("sparse.mp4", []), ("sparse.mkv", []), ("open.mp4", ["-x264-params", "open-gop=1"])] {
            let clip = Clip(
                name, encoder: "libx264", pictures, ["-g", "250", "-sc_threshold", "0", "-bf", "2"] + options)
            guard let picture = try ClipPicture(clip, in: folder) else { continue }
            let times = [4.0, 0, 1.5, 2, 3, 5, 9.9]
            let strip = try strip(picture.bytes, of: picture, at: times)
            for (time, result) in zip(times, strip) {
                let image = try result.get().bitmap
                // Frames from which no others are decoded may be left out, so a neighbour is shown.
                let differences = try [-0.08, -0.04, 0, 0.04, 0.08].map { offset in
                    let shown = try picture.reference(
                        width: size.width, height: size.height, at: max(0, time + offset))
                    return ClipPicture.difference(image, shown)
                }
                #expect(differences.min() ?? 9 < 3, "\(name) at \(time): \(differences)")
                // A strip shows the same frame as a request of its own.
                let alone = try picture.image(width: size.width, height: size.height, at: time).bitmap
                #expect(alone.withUnsafeBytes { one in image.withUnsafeBytes { $0.elementsEqual(one) } })
            }
        }
    }

    @Test("a frame that lasts for seconds is decoded once, for all times at which it is shown")
    func longFrames() async {
        await #expect(processExitsWith: .success) { try Self.renderLong() }
    }

    private static func renderLong() throws {
        VideoDecoding.install()
        let folder = try ScratchFolder()
        // A frame each two and a half seconds, behind one key frame.
        let pictures = Clip.Pictures(width: 640, height: 360, rate: "2/5", seconds: 50, hasSound: false)
        let clip = Clip(
            "long.mp4", encoder: "libx264", pictures,
            ["-g", "250", "-sc_threshold", "0", "-bf", "0", "-vf", "noise=alls=60:allf=t"])
        guard let picture = try ClipPicture(clip, in: folder) else { return }
        let head = try PhotographFacts(readingVideo: picture.source).head
        let bytes = try picture.bytes
        func render(_ times: [Double]) throws -> (images: [Bitmap], byteCount: Int) {
            let source = CountingSource(bytes)
            let results = try Renderer().render(source, head: head, options: options(times))
            return (try results.map { try $0.get().bitmap }, source.readByteCount)
        }
        let (first, several) = (try render([10.1]), try render([12.5, 10.1, 12.2, 11]))
        #expect(several.byteCount == first.byteCount && first.byteCount > 200_000, "\(several.byteCount)")
        for (time, image) in zip([12.5, 10.1, 12.2, 11], several.images) {
            let alone = try render([time]).images[0]
            #expect(alone.withUnsafeBytes { one in image.withUnsafeBytes { $0.elementsEqual(one) } }, "\(time)")
        }
        // The frame behind it is found from there.
        let next = try render([11, 13])
        #expect(
            try render([13]).images[0].withUnsafeBytes { one in
                next.images[1].withUnsafeBytes { $0.elementsEqual(one) }
            })
        #expect(next.byteCount < 2 * first.byteCount)
    }
}
