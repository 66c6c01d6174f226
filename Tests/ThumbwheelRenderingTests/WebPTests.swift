import FixtureKit
import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("WebP by libwebp's incremental decoder")
struct WebPTests {
    private static var guardian: DecodeGuard { DecodeGuard(cancellation: nil, duration: .seconds(3600)) }

    private static func rows(_ decode: any RowDecoder) -> (samples: [UInt8], count: Int, error: RenderError?) {
        var samples: [UInt8] = []
        let width = decode.size.width * decode.channels
        let (count, error) = decode.forEachRow(in: 0..<decode.size.height) {
            samples.append(contentsOf: UnsafeBufferPointer(start: $0, count: width))
        }
        return (samples, count, error)
    }

    private static func ours(_ bytes: [UInt8], eighths: Int) throws -> WebPDecode {
        try WebPDecode(
            MemoryByteSource(bytes), WebPContainer(MemoryByteSource(bytes)), eighths: eighths, keepsProfile: true,
            limits: RenderLimits(), guardian: guardian)
    }

    private static func theirs(_ bytes: [UInt8], eighths: Int) throws -> VipsDecode {
        try VipsDecode(
            MemoryByteSource(bytes), loader: .webp, eighths: eighths, tolerance: .none, convertsProfile: false,
            guardian: guardian)
    }

    /// libvips decodes animations at full size only.
    private static func isAnimated(_ bytes: [UInt8]) -> Bool {
        bytes.count > 20 && bytes[12..<16].elementsEqual("VP8X".utf8) && bytes[20] & 2 != 0
    }

    private static func expectSame(_ bytes: [UInt8], _ what: String) throws {
        for eighths in (isAnimated(bytes) ? 8 : 1)...8 {
            let (ours, theirs) = (try ours(bytes, eighths: eighths), try theirs(bytes, eighths: eighths))
            #expect(ours.size == theirs.size, "\(what), \(eighths)/8")
            #expect(ours.channels == theirs.channels, "\(what), \(eighths)/8")
            guard ours.size == theirs.size, ours.channels == theirs.channels else { continue }
            let (mine, other) = (rows(ours), rows(theirs))
            #expect(mine.error == nil && mine.count == ours.size.height, "\(what), \(eighths)/8")
            let difference = zip(mine.samples, other.samples).map { abs(Int($0) - Int($1)) }.max() ?? 0
            #expect(difference <= 1, "\(what), \(eighths)/8")
        }
    }

    private static func lossy(_ width: Int = 331, _ height: Int = 223, alpha: Bool = false) throws -> [UInt8] {
        try Pictures.scene(width, height, format: alpha ? .rgba : .rgb).encoded(as: .webp(quality: 80))
    }

    @Test("pixels are those of libvips at every scale, with alpha and without")
    func pixels() throws {
        try Self.expectSame(Self.lossy(), "lossy")
        try Self.expectSame(Self.lossy(alpha: true), "alpha")
        try Self.expectSame(Self.lossy(8, 9), "small")
    }

    @Test("pixels are those of libvips on every WebP of Fixtures and ../shared/formats that it takes")
    func files() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        for folder in ["Fixtures/library", "../shared/formats"] {
            let path = root.appending(path: folder).standardizedFileURL.path
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            for name in names.sorted() where name.hasSuffix(".webp") {
                let bytes = try FileByteSource(path: path + "/" + name).bytes()
                guard (try? Self.theirs(bytes, eighths: 8)) != nil else { continue }
                try Self.expectSame(bytes, name)
            }
        }
    }

    @Test("an animation's first frame lies where it belongs, on what is transparent")
    func animation() throws {
        for alpha in [false, true] {
            let still = try Self.lossy(16, 12, alpha: alpha)
            let start = try #require(Self.place(of: alpha ? "ALPH" : "VP8 ", in: still))
            let file = Self.animation(
                canvas: (40, 32), at: (8, 6), size: (16, 12), Array(still[start...]), alpha: alpha)
            let (ours, theirs) = (try Self.ours(file, eighths: 8), try Self.theirs(file, eighths: 8))
            #expect(ours.size == PixelSize(width: 40, height: 32) && ours.channels == theirs.channels)
            let isSame = Self.rows(ours).samples == Self.rows(theirs).samples
            #expect(isSame)
        }
    }

    @Test("a picture that is not of the size that its frame declares is refused")
    func lyingFrame() throws {
        let still = try Self.lossy(16, 12)
        let start = try #require(Self.place(of: "VP8 ", in: still))
        for (size, place) in [((16, 14), (0, 0)), ((16, 12), (30, 0))] {
            let file = Self.animation(canvas: (40, 32), at: place, size: size, Array(still[start...]), alpha: false)
            #expect {
                try Self.ours(file, eighths: 8)
            } throws: {
                ($0 as? RenderError)?.code == "malformed"
            }
        }
    }

    @Test("a file cut short tells how far it came, and gives that part", arguments: [40, 60, 80, 97])
    func truncation(percent: Int) throws {
        let bytes = try Pictures.noise(320, 400, seed: 3).encoded(as: .webp(quality: 80))
        let cut = Array(bytes[..<(bytes.count * percent / 100)])
        let options = RenderOptions(targetSize: PixelSize(width: 80, height: 100))
        #expect {
            try Renderer().render(MemoryByteSource(cut), options: options)
        } throws: {
            guard case .truncated(let fraction) = $0 as? RenderError else { return false }
            return abs(fraction - Double(percent) / 100) < 0.12
        }
        var fast = options
        fast.quality = .fast
        let image = try Renderer().render(MemoryByteSource(cut), options: fast)
        #expect(image.isPartial && image.bitmap.size == options.targetSize && image.decoder == .webp)
        #expect(Pictures.samples(image.bitmap).suffix(3) == [128, 128, 128])
        let whole = try Renderer().render(MemoryByteSource(bytes), options: fast)
        #expect(Pictures.samples(image.bitmap)[..<2400] == Pictures.samples(whole.bitmap)[..<2400])
    }

    @Test("inspect says that it can be stopped, and so does what the scheduler goes by")
    func plan() throws {
        let bytes = try Self.lossy()
        let head = try ImageHead(reading: MemoryByteSource(bytes))
        let options = RenderOptions(targetSize: PixelSize(width: 64, height: 64))
        let plan = try RenderPlan(head: head, options: options)
        #expect(plan.isStoppable && plan.decoder == .webp)
        #expect(try RenderCost(head: head, options: options, byteCount: bytes.count).isStoppable)
    }

    @Test("alpha that the header does not tell of is left out, because it only takes memory")
    func untoldAlpha() throws {
        var file = try Self.lossy(64, 48, alpha: true)
        #expect(try WebPContainer(MemoryByteSource(file)).chunks.count == 2)
        // The flag of alpha in the first chunk.
        file[20] &= ~0x10
        let container = try WebPContainer(MemoryByteSource(file))
        #expect(container.isPlainLossy && container.chunks.count == 1 && container.decoderByteCount == 0)
        try Self.expectSame(file, "untold alpha")
    }

    @Test("a frame that reaches an edge of the canvas reaches it at every scale")
    func scaledFrame() throws {
        let still = try Self.lossy(410, 8)
        let start = try #require(Self.place(of: "VP8 ", in: still))
        let file = Self.animation(
            canvas: (508, 20), at: (98, 12), size: (410, 8), Array(still[start...]), alpha: false)
        for eighths in 1...8 {
            let decode = try Self.ours(file, eighths: eighths)
            let (samples, size) = (Self.rows(decode).samples, decode.size)
            let opacities = (0..<size.pixelCount).map { samples[$0 * 4 + 3] }
            #expect(opacities.last == 255 && opacities[size.width - 1] == 0, "\(eighths)/8")
            #expect(opacities.suffix(size.width).first == 0, "\(eighths)/8")
        }
    }

    @Test("a picture of one colour, whose pixels take almost no bytes, does not count as stoppable")
    func dense() throws {
        func isStoppable(_ width: Int, _ height: Int, byteCount: Int) throws -> Bool {
            let head = ImageHead(contentType: .webp, storedSize: PixelSize(width: width, height: height))
            let options = RenderOptions(targetSize: PixelSize(width: 64, height: 64))
            return try RenderCost(head: head, options: options, byteCount: byteCount).isStoppable
        }
        // A lossless picture can have each pixel coded in no bits, and a lossy one 600 of them in a byte.
        #expect(try !isStoppable(15_000, 15_000, byteCount: 32))
        #expect(try !isStoppable(16_000, 16_000, byteCount: 400_000))
        #expect(try isStoppable(1000, 1000, byteCount: 32))
        #expect(try isStoppable(16_000, 16_000, byteCount: 3_000_000))
    }

    @Test("of several profiles, the first counts")
    func profiles() throws {
        let picture = try Self.lossy(20, 10)
        func little(_ value: Int, _ count: Int) -> [UInt8] { BMPTests.little(value, count) }
        func chunk(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
            Array(kind.utf8) + little(payload.count, 4) + payload
        }
        let chunks =
            chunk("VP8X", [0x20, 0, 0, 0] + little(19, 3) + little(9, 3)) + chunk("ICCP", [1, 2, 3, 4])
            + chunk("ICCP", [5, 6, 7, 8]) + picture[12...]
        let bytes = Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
        let source = MemoryByteSource(bytes)
        #expect(try WebPContainer(source).profileContents(in: source) == [1, 2, 3, 4])
    }

    @Test("a profile inside an animation's frame, or one that is too large, is not read")
    func hiddenProfiles() throws {
        let still = try Self.lossy(16, 12)
        let start = try #require(Self.place(of: "VP8 ", in: still))
        func chunk(_ byteCount: Int) -> [UInt8] {
            Array("ICCP".utf8) + BMPTests.little(byteCount, 4) + [UInt8](repeating: 1, count: byteCount)
        }
        let file = Self.animation(
            canvas: (16, 12), at: (0, 0), size: (16, 12), chunk(8) + still[start...], alpha: false)
        #expect(try WebPContainer(MemoryByteSource(file)).profile == nil)
        let image = try Renderer().render(MemoryByteSource(file), options: RenderOptions(targetSize: .maximum))
        #expect(image.bitmap.size == PixelSize(width: 16, height: 12))
        let limit = ColorConversion.profileByteLimit
        for (byteCount, isRead) in [(limit, true), (limit + 2, false)] {
            let head = Array("VP8X".utf8) + BMPTests.little(10, 4) + [0x20, 0, 0, 0]
            let chunks =
                head + BMPTests.little(15, 3) + BMPTests.little(11, 3) + chunk(byteCount) + Array(still[start...])
            let source = MemoryByteSource(
                Array("RIFF".utf8) + BMPTests.little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks)
            #expect(try WebPContainer(source).profileContents(in: source)?.count == (isRead ? byteCount : nil))
        }
    }

    private static func place(of kind: String, in bytes: [UInt8]) -> Int? {
        bytes.indices.dropLast(3).first { Array(bytes[$0..<$0 + 4]) == Array(kind.utf8) }
    }

    private static func animation(
        canvas: (Int, Int), at place: (Int, Int), size: (Int, Int), _ picture: [UInt8], alpha: Bool
    ) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] { BMPTests.little(value, count) }
        func chunk(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
            Array(kind.utf8) + little(payload.count, 4) + payload + (payload.count % 2 == 1 ? [0] : [])
        }
        var frame = little(place.0 / 2, 3) + little(place.1 / 2, 3)
        frame += little(size.0 - 1, 3) + little(size.1 - 1, 3) + [100, 0, 0, 2]
        var chunks = chunk("VP8X", [alpha ? 0x12 : 2, 0, 0, 0] + little(canvas.0 - 1, 3) + little(canvas.1 - 1, 3))
        chunks += chunk("ANIM", [0, 0, 0, 0, 0, 0]) + chunk("ANMF", frame + picture)
        return Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
    }
}
