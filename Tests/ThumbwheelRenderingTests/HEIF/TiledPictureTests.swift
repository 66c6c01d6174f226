import FixtureKit
import Foundation
import Testing
import ThumbwheelCore

@testable import ThumbwheelFormats
@testable import ThumbwheelRendering

/// Pictures of tiles, beside libheif's decode of the same files.
@Suite("HEIF tiles") struct TiledPictureTests {
    private static func pixels(_ decode: any RowDecoder) throws -> [UInt8] {
        var pixels: [UInt8] = []
        let end = decode.forEachRow(in: 0..<decode.size.height) { row in
            pixels += UnsafeBufferPointer(start: row, count: decode.size.width * decode.channels)
        }
        if let error = end.error { throw error }
        return pixels
    }

    @Test("a picture without tiles is handed on no further after a cancel", arguments: ["hevc", "av1"])
    func cancelledPicture(_ codec: String) throws {
        let picture = try CodedPicture(TiledFixture.raster, codec: codec)
        let file = ItemFile(brand: codec == "av1" ? "avif" : "heic", items: [picture.item()]).encoded
        let token = CancellationToken()
        let decode = try #require(
            try HEIFCodec().open(
                Self.input(MemoryByteSource(file), codec == "av1" ? .dav1d : .de265, token: token)))
        var count = 0
        let end = decode.forEachRow(in: 0..<330) { _ in
            count += 1
            if count == 100 { token.cancel() }
        }
        #expect(end.error == .cancelled && count < 140)
    }

    private static let guardian = DecodeGuard(cancellation: nil, duration: .seconds(3600))

    private static func input(
        _ source: any ByteSource, _ decoder: RenderedImage.Decoder, reduction: Int = 1,
        token: CancellationToken? = nil
    ) throws -> DecoderInput {
        let head = try ImageHead(reading: source)
        return DecoderInput(
            bytes: source, head: head, decoder: decoder, eighths: 8, reduction: reduction,
            minimumScale: 1,
            region: SourceBox(
                x: 0, y: 0, width: Double(head.storedSize.width), height: Double(head.storedSize.height)),
            tolerance: .none, quality: .high, allowsCoarseChroma: false, conversion: .none, limits: RenderLimits(),
            guardian: DecodeGuard(cancellation: token, duration: .seconds(3600)))
    }

    /// The pixels of a file upright, by a decoder.
    private static func upright(_ file: [UInt8], by decoder: RenderedImage.Decoder) throws -> Bitmap {
        let source = MemoryByteSource(file)
        let decode = try #require(try HEIFCodec().open(input(source, decoder)))
        let orientation = decode.orientation ?? .up
        let format: Bitmap.PixelFormat = decode.channels == 4 ? .rgba : .rgb
        let pixels = try pixels(decode)
        return Bitmap(size: orientation.displaySize(of: decode.size), format: format) { target in
            let store = OrientedStore(target, storedSize: decode.size, format: format, orientation: orientation)
            pixels.withUnsafeBytes { bytes in
                for row in 0..<decode.size.height {
                    store.put(row: bytes.baseAddress! + row * decode.size.width * decode.channels, at: row)
                }
            }
        }
    }

    @Test("a grid of tiles is decoded like libheif's", arguments: ["hevc", "av1"])
    func grid(_ codec: String) throws {
        let file = try TiledFixture.file(TiledFixture.tiled(codec))
        let own = try Self.upright(file, by: codec == "av1" ? .dav1d : .de265)
        let libheif = try Self.upright(file, by: .vips)
        #expect(own.size == PixelSize(width: 500, height: 330))
        #expect(own.size == libheif.size)
        // Chroma is interpolated differently.
        #expect(Pictures.meanDifference(own, libheif) < 1.5)
    }

    @Test("all turns and mirrorings are libheif's", arguments: 0..<4, [nil, 0, 1])
    func turned(_ quarters: Int, _ axis: Int?) throws {
        var picture = TiledFixture.tiled()
        picture.properties = [ItemFile.box("irot", [UInt8(quarters)])]
        if let axis { picture.properties.append(ItemFile.box("imir", [UInt8(axis)])) }
        let file = try TiledFixture.file(picture)
        let own = try Self.upright(file, by: .de265)
        let libheif = try Self.upright(file, by: .vips)
        #expect(own.size == libheif.size)
        #expect(Pictures.meanDifference(own, libheif) < 1.5)
        #expect(try ImageHead(reading: MemoryByteSource(file)).displaySize == own.size)
    }

    @Test("a clean aperture cuts off the pixels that libheif cuts off", arguments: [0, 1, 3])
    func cropped(_ quarters: Int) throws {
        var picture = TiledFixture.tiled()
        func fraction(_ numerator: Int, _ denominator: Int) -> [UInt8] {
            ItemFile.number(numerator, 4) + ItemFile.number(denominator, 4)
        }
        picture.properties = [
            ItemFile.box(
                "clap", fraction(301, 1) + fraction(200, 1) + fraction(-41, 2) + fraction(30, 1)),
            ItemFile.box("irot", [UInt8(quarters)]),
        ]
        let file = try TiledFixture.file(picture)
        let own = try Self.upright(file, by: .de265)
        let libheif = try Self.upright(file, by: .vips)
        #expect(
            own.size == (quarters % 2 == 1 ? PixelSize(width: 200, height: 301) : PixelSize(width: 301, height: 200)))
        #expect(Pictures.meanDifference(own, libheif) < 1.5)
    }

    @Test("alpha is decoded, whatever its size", arguments: [500, 250])
    func alpha(_ width: Int) throws {
        var picture = TiledFixture.tiled()
        let height = 330 * width / 500
        picture.alpha = Raster(
            width: width, height: height, channels: 1,
            bytes: (0..<height).flatMap { y in (0..<width).map { UInt8(($0 + y) * 255 / (width + height)) } })
        let file = try TiledFixture.file(picture)
        let own = try Self.upright(file, by: .de265)
        #expect(own.format == .rgba)
        let alpha = stride(from: 3, to: own.byteCount, by: 4).map { Pictures.samples(own)[$0] }
        #expect(alpha[0] < 8 && alpha[alpha.count - 1] > 247 && abs(Int(alpha[165 * 500 + 250]) - 127) < 8)
        if width == 500 {
            #expect(try Pictures.meanDifference(own, Self.upright(file, by: .vips)) < 1.5)
        }
    }

    @Test("colours that were multiplied by their alpha are divided by it again")
    func premultiplied() throws {
        let colors = Raster(width: 64, height: 64, channels: 3, bytes: (0..<64 * 64).flatMap { _ in [28, 10, 10] })
        var picture = TiledFixture.tiled()
        picture.tileSide = 64
        picture.alpha = Raster(width: 64, height: 64, channels: 1, bytes: [UInt8](repeating: 127, count: 64 * 64))
        var file = try picture.itemFile(colors)
        file.references.append(.init("prem", from: 1, to: [file.items.count]))
        let pixel = Pictures.samples(try Self.upright(file.encoded, by: .de265)).prefix(4)
        #expect(zip(pixel, [56, 20, 20, 127] as [Int]).allSatisfy { abs(Int($0) - $1) <= 5 }, "\(pixel)")
    }

    @Test("a file whose metadata describes two items opens, which libheif refuses")
    func describedTwice() throws {
        var picture = TiledFixture.tiled()
        picture.describesTwoItems = true
        picture.thumbnailWidth = 160
        let file = try TiledFixture.file(picture)
        let options = RenderOptions(targetSize: PixelSize(width: 64, height: 64))
        let image = try Renderer().render(MemoryByteSource(file), options: options)
        #expect(image.decoder == .de265)
        let whole = try Renderer().render(MemoryByteSource(TiledFixture.file(TiledFixture.tiled())), options: options)
        #expect(Pictures.samples(image.bitmap) == Pictures.samples(whole.bitmap))
    }

    @Test("a thumbnail is upright, and stands for the picture where it covers the target")
    func thumbnail() throws {
        var picture = TiledFixture.tiled()
        picture.thumbnailWidth = 250
        picture.properties = [ItemFile.box("irot", [1])]
        let file = try TiledFixture.file(picture)
        var options = RenderOptions(targetSize: PixelSize(width: 100, height: 100))
        options.quality = .fast
        let fast = try Renderer().render(MemoryByteSource(file), options: options)
        #expect(fast.source == .embedded && fast.decoder == .de265)
        options.usesEmbeddedPreviews = false
        let full = try Renderer().render(MemoryByteSource(file), options: options)
        #expect(full.source == .full && full.bitmap.size == fast.bitmap.size)
        // The thumbnail of this fixture is made of nearest pixels.
        #expect(Pictures.meanDifference(fast.bitmap, full.bitmap) < 12)
    }

    @Test("only the tiles that a crop touches are read")
    func needed() throws {
        let file = try TiledFixture.file(TiledFixture.tiled())
        let images = try #require(try HEIFImages(reading: MemoryByteSource(file)))
        var options = RenderOptions(targetSize: PixelSize(width: 20, height: 20))
        options.normalizedCropRect = NormalizedRect(x: 0.6, y: 0.5, width: 0.1, height: 0.1)
        options.resizeMode = .exact
        let source = CountingByteSource(file)
        _ = try Renderer().render(source, options: options)
        // Pixels 300 to 350 across and 165 to 198 down, with some more for the kernel: one tile of twelve.
        let ranges = source.ranges
        let read = images.picture.tiles.map { ranges.contains($0.extents[0]) }
        #expect(read.indices.filter { read[$0] } == [6])
    }

    @Test("reduced planes are the means of the pixels", arguments: [2, 4, 6, 9])
    func reduced(_ reduction: Int) throws {
        let file = try TiledFixture.file(TiledFixture.tiled())
        let source = MemoryByteSource(file)
        let full = try Self.pixels(#require(try HEIFCodec().open(Self.input(source, .de265))))
        let decode = try #require(try HEIFCodec().open(Self.input(source, .de265, reduction: reduction)))
        let used = reduction & ~1
        #expect(decode.size == PixelSize(width: (500 + used - 1) / used, height: (330 + used - 1) / used))
        let reduced = try Self.pixels(decode)
        var sum = 0
        for y in 0..<decode.size.height - 1 {
            for x in 0..<decode.size.width - 1 {
                for channel in 0..<3 {
                    var total = 0
                    for row in 0..<used {
                        for column in 0..<used {
                            total += Int(full[((y * used + row) * 500 + x * used + column) * 3 + channel])
                        }
                    }
                    sum += abs(total / (used * used) - Int(reduced[(y * decode.size.width + x) * 3 + channel]))
                }
            }
        }
        // From four on, the filters are left out.
        #expect(Double(sum) / Double(decode.size.pixelCount * 3) < (reduction < 4 ? 1.5 : 3))
    }

    @Test("a second thread changes no pixel")
    func assisted() throws {
        let file = try TiledFixture.file(TiledFixture.tiled())
        for side in [32, 100, 300] {
            let options = RenderOptions(targetSize: PixelSize(width: side, height: side))
            let alone = try Renderer().render(MemoryByteSource(file), options: options)
            for _ in 0..<5 {
                let helped = try Renderer(assistants: ThreadAssistants()).render(
                    MemoryByteSource(file), options: options)
                #expect(Pictures.samples(helped.bitmap) == Pictures.samples(alone.bitmap))
            }
        }
    }

    @Test("a file cut anywhere is a typed error, and fast delivery shows the tiles that are whole")
    func cut() throws {
        let file = try TiledFixture.file(TiledFixture.tiled())
        var options = RenderOptions(targetSize: PixelSize(width: 100, height: 100))
        for cut in stride(from: 0, to: file.count, by: file.count / 40) {
            #expect(throws: RenderError.self) {
                try Renderer().render(MemoryByteSource(Array(file[..<cut])), options: options)
            }
        }
        options.quality = .fast
        let source = MemoryByteSource(Array(file[..<(file.count * 9 / 10)]))
        let partial = try Renderer().render(source, options: options)
        #expect(partial.isPartial)
        options.quality = .high
        do {
            _ = try Renderer().render(source, options: options)
            Issue.record("a cut file was rendered")
        } catch .truncated(let fraction) {
            #expect(fraction > 0.5 && fraction < 1)
        }
    }

    @Test("a sequence that announces more than its item is refused before it is decoded")
    func announced() throws {
        var file = try TiledFixture.itemFile(TiledFixture.tiled())
        let other = try CodedPicture(Raster(Scene(seed: 1, subject: .stillLife), width: 1024, height: 512))
        for index in 1..<file.items.count where file.items[index].kind == "hvc1" {
            file.items[index].properties[0] = other.configuration
        }
        #expect(throws: RenderError.malformed(reason: "an HEVC picture of 1024x512 in an item of 128x128")) {
            try Renderer().render(
                MemoryByteSource(file.encoded), options: RenderOptions(targetSize: PixelSize(width: 64, height: 64)))
        }
    }

    @Test("a decode stops between two tiles")
    func cancelled() throws {
        let token = CancellationToken()
        let source = MemoryByteSource(try TiledFixture.file(TiledFixture.tiled()))
        let decode = try #require(try HEIFCodec().open(Self.input(source, .de265, token: token)))
        var count = 0
        let end = decode.forEachRow(in: 0..<330) { _ in
            count += 1
            token.cancel()
        }
        #expect(end.error == .cancelled)
        #expect(count <= 128)
    }
}
