import FixtureKit
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("Damaged files, cancelled renderings")
struct DamageTests {
    let renderer = Renderer()
    let small = RenderOptions(targetSize: PixelSize(width: 64, height: 64))

    func fast(_ options: RenderOptions) -> RenderOptions {
        var options = options
        options.quality = .fast
        return options
    }

    @Test("a JPEG cut short is an error at high quality, with how far it came", arguments: [30, 50, 80, 95])
    func truncatedJPEG(percent: Int) throws {
        let bytes = try Pictures.noise(640, 480, seed: 5).encoded(as: .jpeg(quality: 80))
        let source = MemoryByteSource(Array(bytes[..<(bytes.count * percent / 100)]))
        do throws(RenderError) {
            _ = try renderer.render(source, options: small)
            Issue.record("it rendered")
        } catch {
            guard case .truncated(let fraction) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(abs(fraction - Double(percent) / 100) < 0.08)
        }
    }

    @Test("a JPEG cut short gives what there is of it at fast quality, on neutral grey")
    func partialJPEG() throws {
        let bytes = try Pictures.bitmap(640, 480) { _, _, channel in channel == 0 ? 250 : 20 }
            .encoded(as: .jpeg(quality: 80))
        let source = MemoryByteSource(Array(bytes[..<(bytes.count * 60 / 100)]))
        let image = try renderer.render(source, options: fast(small))
        #expect(image.isPartial && image.bitmap.size == small.targetSize)
        let samples = Pictures.samples(image.bitmap)
        #expect(samples[0] > 230 && samples[1] < 40)
        #expect(samples.suffix(3).allSatisfy { $0 == 128 })
    }

    @Test("a PNG cut short is an error at high quality and partial at fast")
    func truncatedPNG() throws {
        let bytes = try Pictures.noise(200, 200, seed: 6).encoded(as: .png)
        let source = MemoryByteSource(Array(bytes[..<(bytes.count / 2)]))
        #expect {
            try renderer.render(source, options: small)
        } throws: { error in
            guard case .truncated(let fraction) = error as? RenderError else { return false }
            return (0.3...0.6).contains(fraction)
        }
        #expect(try renderer.render(source, options: fast(small)).isPartial)
    }

    @Test("a JPEG that lacks nothing but its end marker is whole")
    func missingEndMarker() throws {
        let bytes = try Pictures.scene(320, 240).encoded(as: .jpeg(quality: 85))
        let whole = try renderer.render(MemoryByteSource(bytes), options: small)
        let cut = try renderer.render(MemoryByteSource(Array(bytes.dropLast(2))), options: small)
        #expect(!cut.isPartial)
        #expect(Pictures.largestDifference(whole.bitmap, cut.bitmap) == 0)
    }

    @Test("a CMYK or arithmetic-coded JPEG that lacks nothing but its end marker is whole", arguments: [false, true])
    func missingEndMarkerForLibJPEG(isProgressive: Bool) throws {
        let raster = Raster(Scene(seed: 3, subject: .landscape, noise: 4), width: 160, height: 120)
        let ink = Raster(width: 120, height: 120, channels: 4, bytes: Array(raster.bytes.prefix(120 * 120 * 4)))
        let kinds: [(sampling: [(Int, Int)], isArithmetic: Bool, raster: Raster)] = [
            ([(1, 1), (1, 1), (1, 1), (1, 1)], false, ink), ([(1, 1), (1, 1), (1, 1), (1, 1)], true, ink),
            ([(2, 2), (1, 1), (1, 1)], true, raster), ([(1, 1)], true, raster.grey),
        ]
        for kind in kinds {
            let count = kind.sampling.count
            let encoder = LibJPEGEncoder(
                sampling: kind.sampling, isArithmetic: kind.isArithmetic,
                scans: isProgressive ? LibJPEGEncoder.progression(count) : [])
            let bytes = try encoder.encode(kind.raster)
            let whole = try renderer.render(MemoryByteSource(bytes), options: small)
            #expect(whole.decoder == .vips)
            for options in [small, fast(small)] {
                let cut = try renderer.render(MemoryByteSource(Array(bytes.dropLast(2))), options: options)
                #expect(!cut.isPartial, "\(count) components, arithmetic \(kind.isArithmetic)")
                #expect(options != small || Pictures.largestDifference(whole.bitmap, cut.bitmap) == 0)
            }
            // A missing scan is an error: here the file ends before its last scan.
            guard isProgressive else { continue }
            let last = try #require(bytes.indices.last { bytes[$0] == 0xDA && bytes[$0 - 1] == 0xFF })
            let lacking = MemoryByteSource(Array(bytes[..<(last - 1)]))
            #expect(throws: RenderError.self) { try renderer.render(lacking, options: small) }
            #expect(try renderer.render(lacking, options: fast(small)).isPartial)
        }
    }

    @Test("damage beyond the region shown does not matter")
    func damageOutside() throws {
        let bytes = try Pictures.noise(640, 480, seed: 8).encoded(as: .jpeg(quality: 80))
        let source = MemoryByteSource(Array(bytes[..<(bytes.count * 60 / 100)]))
        var top = small
        top.normalizedCropRect = NormalizedRect(x: 0, y: 0, width: 1, height: 0.4)
        #expect(try !renderer.render(source, options: top).isPartial)
    }

    @Test("bytes that are no image are refused", arguments: [0, 1, 3, 40])
    func nonsense(count: Int) {
        #expect(throws: RenderError.self) {
            try renderer.render(MemoryByteSource(Array(repeating: 0x55, count: count)), options: small)
        }
    }

    @Test("images thinner than a decode's block render", arguments: ResizeMode.allCases)
    func thin(resizeMode: ResizeMode) throws {
        for size in [(1, 400), (400, 1), (5, 261), (3, 3), (1, 1)] {
            for encoding in [ImageEncoding.jpeg(quality: 80), .webp(quality: 80), .png] {
                let bytes = try Pictures.scene(size.0, size.1).encoded(as: encoding)
                var options = RenderOptions(targetSize: PixelSize(width: 2, height: 2), contentMode: .aspectFit)
                options.resizeMode = resizeMode
                let image = try renderer.render(MemoryByteSource(bytes), options: options)
                #expect(!image.bitmap.size.isEmpty)
            }
        }
    }

    @Test("a head that lies about the size does no harm", arguments: [(8000, 6000), (10, 10), (97, 64)])
    func lyingHead(width: Int, height: Int) throws {
        let bytes = try Pictures.scene(96, 64).encoded(as: .jpeg(quality: 80))
        let head = ImageHead(contentType: .jpeg, storedSize: PixelSize(width: width, height: height))
        for target in [8, 40, 200] {
            let options = RenderOptions(targetSize: PixelSize(width: target, height: target))
            let image = try renderer.render(MemoryByteSource(bytes), head: head, options: options)
            #expect(image.bitmap.size.width <= 96)
        }
    }

    @Test(
        "any damage ends as an image of the right size or as an error, and the same way each time",
        arguments: [UInt64(1), 2, 3])
    func mutations(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let picture = Pictures.scene(150, 110)
        for encoding in [ImageEncoding.jpeg(quality: 80), .webp(quality: 80), .png] {
            let whole = try picture.encoded(as: encoding)
            for _ in 0..<40 {
                var bytes = whole
                if .random(using: &random) { bytes.removeLast(.random(in: 0..<bytes.count, using: &random)) }
                for _ in 0..<Int.random(in: 0...5, using: &random) where !bytes.isEmpty {
                    bytes[.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                var options = small
                options.quality = RenderQuality.allCases.randomElement(using: &random)!
                options.resizeMode = ResizeMode.allCases.randomElement(using: &random)!
                let outcome = outcome(of: bytes, options)
                #expect(outcome == self.outcome(of: bytes, options), "seed \(seed)")
                if bytes == whole { #expect(outcome.error == nil, "seed \(seed)") }
            }
        }
    }

    private struct Outcome: Equatable {
        var error: String?
        var bitmap: [UInt8] = []
    }

    private func outcome(of bytes: [UInt8], _ options: RenderOptions) -> Outcome {
        do throws(RenderError) {
            let image = try renderer.render(
                MemoryByteSource(bytes), options: options, limits: RenderLimits(pixelCount: 1_000_000))
            if options.resizeMode == .exact {
                #expect(image.bitmap.size.width <= 64 && image.bitmap.size.height <= 64)
            }
            return Outcome(bitmap: image.bitmap.withUnsafeBytes { Array($0) })
        } catch {
            return Outcome(error: error.code)
        }
    }

    @Test("cancelling while the file is read ends the rendering, and nothing more is read")
    func cancelling() throws {
        let bytes = try Pictures.noise(1600, 1200, seed: 9).encoded(as: .jpeg(quality: 95))
        let head = try ImageHead(reading: MemoryByteSource(bytes))
        for read in [1, 3, 6] {
            let token = CancellationToken()
            let source = CountingByteSource(bytes, cancelling: token, atRead: read)
            #expect(throws: RenderError.cancelled) {
                try renderer.render(source, head: head, options: small, cancellation: token)
            }
            // Finding the segments to leave out may read a little more; the decoder reads nothing.
            #expect(source.readCountAfterCancelling <= 2)
        }
    }

    @Test("a token cancelled before keeps the source untouched")
    func cancelledBefore() throws {
        let token = CancellationToken()
        token.cancel()
        let source = CountingByteSource(try Pictures.scene(64, 64).encoded(as: .png))
        #expect(throws: RenderError.cancelled) {
            try renderer.render(source, options: small, cancellation: token)
        }
        #expect(source.readCount == 0)
    }

    @Test("a file is read in large pieces")
    func readAhead() throws {
        let bytes = try Pictures.noise(1600, 1200, seed: 10).encoded(as: .jpeg(quality: 95))
        let source = CountingByteSource(bytes)
        _ = try renderer.render(source, options: small)
        #expect(source.readCount < bytes.count / 50_000 + 24)
    }

    @Test("cancelling the task of a one-shot thumbnail cancels it")
    func oneShot() async throws {
        let bytes = try Pictures.scene(400, 300).encoded(as: .jpeg(quality: 90))
        let size = PixelSize(width: 50, height: 50)
        #expect(try await Thumbnail.image(from: bytes, size: size).size == size)
        let task = Task {
            // Begins only after it was cancelled.
            while !Task.isCancelled { await Task.yield() }
            return try await Thumbnail.image(from: bytes, size: size)
        }
        task.cancel()
        await #expect(throws: RenderError.cancelled) { try await task.value }
        await #expect(throws: RenderError.self) {
            try await Thumbnail.image(atPath: "there is no such file", size: size)
        }
    }
}
