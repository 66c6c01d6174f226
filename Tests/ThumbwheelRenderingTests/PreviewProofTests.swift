import FixtureKit
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

/// A final image must show its photograph: a stale preview that shows something else must be refused, and one of merely
/// lower quality accepted.
@Suite("Previews checked against their photographs")
struct PreviewProofTests {
    private static let seeds: [UInt64] = [1, 2, 3, 4, 5, 6]

    /// The photograph of a seed.
    private static func photograph(_ seed: UInt64, noise: Int = 220, width: Int = 1200, height: Int = 900) -> Raster {
        Raster(Scene(seed: seed, noise: noise), width: width, height: height)
    }

    /// A photograph with a preview behind it.
    private static func file(
        _ photograph: Raster, _ preview: Raster, quality: Int = 85, previewQuality: Int = 80,
        isProgressive: Bool = false, orientation: ImageOrientation = .up
    ) throws -> (MemoryByteSource, ImageHead) {
        let whole = try JPEGEncoder(quality: quality, isProgressive: isProgressive).encode(photograph)
        let small = try JPEGEncoder(quality: previewQuality).encode(preview)
        var head = try ImageHead(reading: MemoryByteSource(whole))
        head.orientation = orientation
        head.previews = [
            EmbeddedPreview(
                byteRange: whole.count..<whole.count + small.count, contentType: .jpeg,
                pixelSize: PixelSize(width: preview.width, height: preview.height))
        ]
        return (MemoryByteSource(whole + small), head)
    }

    private static func isTaken(_ file: (MemoryByteSource, ImageHead), _ mode: ContentMode = .aspectFit) throws -> Bool
    {
        let options = RenderOptions(
            targetSize: PixelSize(width: 100, height: 100), contentMode: mode, quality: .fast)
        return try Renderer().render(file.0, head: file.1, options: options).source == .embedded
    }

    private static func reduced(_ raster: Raster) -> Raster {
        raster.width >= raster.height
            ? raster.reduced(toWidth: 160, height: (160 * raster.height + raster.width / 2) / raster.width)
            : raster.reduced(toWidth: (160 * raster.width + raster.height / 2) / raster.height, height: 160)
    }

    /// A part of a picture, of the same aspect.
    private static func cropped(_ raster: Raster, percent: Int, left: Int, top: Int) -> Raster {
        let (width, height) = (raster.width * percent / 100, raster.height * percent / 100)
        let (x, y) = ((raster.width - width) * left / 2, (raster.height - height) * top / 2)
        var bytes: [UInt8] = []
        for row in y..<y + height {
            let start = (row * raster.width + x) * 3
            bytes += raster.bytes[start..<start + width * 3]
        }
        return Raster(width: width, height: height, channels: 3, bytes: bytes)
    }

    private static func mapped(_ raster: Raster, _ change: (Int) -> Int) -> Raster {
        var raster = raster
        for index in raster.bytes.indices { raster.bytes[index] = UInt8(clamping: change(Int(raster.bytes[index]))) }
        return raster
    }

    @Test("a mirrored, turned or other picture is refused", arguments: seeds)
    func others(seed: UInt64) throws {
        let photograph = Self.photograph(seed)
        for orientation in 2...4 {
            let changed = Self.reduced(photograph.stored(forOrientation: orientation))
            #expect(try !Self.isTaken(Self.file(photograph, changed)), "turned as \(orientation)")
            #expect(try !Self.isTaken(Self.file(photograph, changed, isProgressive: true)), "turned as \(orientation)")
        }
        let other = Self.reduced(Self.photograph(seed + 3))
        #expect(try !Self.isTaken(Self.file(photograph, other)))
        let grey = photograph.grey
        let colourless = Raster(
            width: grey.width, height: grey.height, channels: 3, bytes: grey.bytes.flatMap { [$0, $0, $0] })
        let negative = Self.mapped(photograph) { 255 - $0 }
        #expect(try !Self.isTaken(Self.file(photograph, Self.reduced(negative))))
        #expect(try !Self.isTaken(Self.file(Self.mapped(colourless) { $0 / 2 }, Self.reduced(photograph))))
    }

    @Test("a picture with another crop is refused, except for one in twenty, whose top is too plain to tell")
    func cut() throws {
        var taken: [String] = []
        var count = 0
        for seed in Self.seeds {
            let photograph = Self.photograph(seed)
            for percent in [90, 80, 70] {
                for (left, top) in [(1, 1), (0, 0), (2, 2), (2, 0), (0, 2)] {
                    let part = Self.cropped(photograph, percent: percent, left: left, top: top)
                    let name = "seed \(seed), \(percent) % at \(left), \(top)"
                    if try Self.isTaken(Self.file(photograph, Self.reduced(part))) { taken.append("part, " + name) }
                    // The photograph was cropped, and its preview was left as it was.
                    if try Self.isTaken(Self.file(part, Self.reduced(photograph))) { taken.append("whole, " + name) }
                    count += 2
                }
            }
        }
        #expect(taken.count <= count / 20, "\(taken)")
    }

    @Test("a picture with black on all four sides is refused", arguments: seeds)
    func framed(seed: UInt64) throws {
        let photograph = Self.photograph(seed)
        for (width, height) in [(152, 114), (144, 108), (128, 96)] {
            let framed = photograph.reduced(toWidth: width, height: height).letterboxed(toWidth: 160, height: 120)
            #expect(try !Self.isTaken(Self.file(photograph, framed)), "\(width)×\(height)")
        }
    }

    @Test("a preview that shows the photograph is accepted in every orientation", arguments: ImageOrientation.allCases)
    func honest(orientation: ImageOrientation) throws {
        for seed in Self.seeds {
            let photograph = Self.photograph(seed)
            let file = try Self.file(photograph, Self.reduced(photograph), orientation: orientation)
            #expect(try Self.isTaken(file) && Self.isTaken(file, .aspectFill), "seed \(seed)")
        }
    }

    @Test("noise, darkness, low contrast and strong compression are no reason to refuse", arguments: seeds)
    func poor(seed: UInt64) throws {
        let photograph = Self.photograph(seed)
        let preview = Self.reduced(photograph)
        #expect(try Self.isTaken(Self.file(photograph, preview, isProgressive: true)), "progressive")
        #expect(try Self.isTaken(Self.file(photograph, preview, previewQuality: 15)), "a coarse preview")
        #expect(try Self.isTaken(Self.file(photograph, preview, quality: 10)), "a coarse photograph")
        for (name, change) in [
            ("dark", { $0 / 10 }), ("hazy", { 120 + $0 / 12 }), ("black", { $0 / 60 }), ("blank", { _ in 200 }),
            ("bright", { min(255, 100 + $0 * 3 / 2) }),
        ] as [(String, (Int) -> Int)] {
            let file = try Self.file(Self.mapped(photograph, change), Self.mapped(preview, change))
            #expect(try Self.isTaken(file), "\(name)")
        }
        // The preview was developed otherwise than the photograph: a little brighter and sharper.
        let brighter = Self.mapped(preview) { ($0 - 128) * 11 / 10 + 136 }
        #expect(try Self.isTaken(Self.file(photograph, brighter)), "contrast")
        let noisy = Self.photograph(seed, noise: 2500)
        #expect(try Self.isTaken(Self.file(noisy, preview)), "noisy")
        var generator = SplitMix(state: seed)
        var grainy = preview
        for index in grainy.bytes.indices {
            grainy.bytes[index] = UInt8(clamping: Int(grainy.bytes[index]) + Int(generator.next() % 33) - 16)
        }
        #expect(try Self.isTaken(Self.file(photograph, grainy)), "a noisy preview")
        // The margin between sensor and preview: a hundredth is lost on each side.
        let shifted = Self.cropped(photograph, percent: 98, left: 1, top: 1)
        #expect(try Self.isTaken(Self.file(photograph, Self.reduced(shifted))), "a little less")
    }

    @Test("bars of as many rows as cameras paint do not count as part of the picture", arguments: seeds)
    func bars(seed: UInt64) throws {
        let photograph = Self.photograph(seed, width: 1500, height: 1000)
        for rows in [107, 106, 104] {
            let barred = photograph.reduced(toWidth: 160, height: rows).letterboxed(toWidth: 160, height: 120)
            let file = try Self.file(photograph, barred)
            #expect(try Self.isTaken(file), "\(rows) rows")
            // No trace of the bars shows: half a black row would make five times this difference.
            let options = RenderOptions(
                targetSize: PixelSize(width: 150, height: 100), quality: .fast)
            let image = try Renderer().render(file.0, head: file.1, options: options)
            var without = options
            without.usesEmbeddedPreviews = false
            let decoded = try Renderer().render(file.0, head: file.1, options: without)
            #expect(image.source == .embedded)
            #expect(Self.edgeDifference(image.bitmap, decoded.bitmap) < 24, "\(rows) rows")
        }
        let upright = Self.photograph(seed, width: 800, height: 1200)
        let barred = upright.reduced(toWidth: 80, height: 120).letterboxed(toWidth: 160, height: 120)
        #expect(try Self.isTaken(Self.file(upright, barred)), "upright")
        let mirrored = upright.stored(forOrientation: 2).reduced(toWidth: 80, height: 120)
        #expect(try !Self.isTaken(Self.file(upright, mirrored.letterboxed(toWidth: 160, height: 120))), "upright")
    }

    /// The mean difference of the first row, and that of the last.
    private static func edgeDifference(_ one: Bitmap, _ other: Bitmap) -> Int {
        let (first, second) = (Pictures.samples(one), Pictures.samples(other))
        let count = one.size.width * 3
        func difference(_ places: Range<Int>) -> Int {
            places.reduce(0) { $0 + abs(Int(first[$1]) - Int(second[$1])) } / count
        }
        return max(difference(0..<count), difference(first.count - count..<first.count))
    }

    @Test("if a photograph cannot be checked cheaply, only the container's own preview is accepted")
    func unproved() throws {
        let photograph = Self.photograph(1)
        var (source, head) = try Self.file(photograph, Self.reduced(photograph))
        head.jpeg?.isArithmetic = true
        #expect(try !Self.isTaken((source, head)))
        var raw = head
        raw.contentType = .nef
        raw.previews[0].kind = .raw
        raw.previews.append(
            EmbeddedPreview(
                kind: .raw, byteRange: 0..<raw.previews[0].byteRange.lowerBound, contentType: .jpeg,
                pixelSize: head.storedSize))
        #expect(try Self.isTaken((source, raw)))
    }

    @Test("only a small part of a large photograph is read")
    func reading() throws {
        let photograph = Self.photograph(2, width: 2400, height: 1800)
        let (file, head) = try Self.file(photograph, Self.reduced(photograph), quality: 97)
        let source = try CountingByteSource(file.bytes())
        let options = RenderOptions(targetSize: PixelSize(width: 100, height: 100), quality: .fast)
        #expect(try Renderer().render(source, head: head, options: options).source == .embedded)
        #expect(source.copiedByteCount < file.byteCount / 4 + (128 << 10))
    }

    @Test("a glance settles what most previews show")
    func glance() throws {
        let seeds = Self.seeds.prefix(4)
        let glanced = try seeds.filter { seed in
            let photograph = Self.photograph(seed, width: 1600, height: 1200)
            let (file, head) = try Self.file(photograph, Self.reduced(photograph), quality: 97)
            let source = try CountingByteSource(file.bytes())
            let options = RenderOptions(targetSize: PixelSize(width: 100, height: 100), quality: .fast)
            #expect(try Renderer().render(source, head: head, options: options).source == .embedded)
            // The chunk that holds the header, the preview, and 48 KiB of the scan.
            return source.copiedByteCount <= (64 + 48 + 2) << 10 + head.previews[0].byteCount
        }
        #expect(glanced.count >= 2, "only seeds \(glanced)")
    }
}
