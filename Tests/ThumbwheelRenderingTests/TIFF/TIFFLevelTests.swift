import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import FixtureKit
@testable import ThumbwheelRendering

@Suite("TIFF levels, crops and limits") struct TIFFLevelTests {
    private static let raster = Raster(Scene(seed: 6, subject: .stillLife), width: 1000, height: 700)

    private static func pyramid(_ compression: String) throws -> [UInt8] {
        try VipsEncoder(
            suffix: ".tif", options: "compression=\(compression),tile,tile_width=64,tile_height=64,pyramid"
        ).encode(raster)
    }

    @Test("the smallest level that suffices is decoded", arguments: ["deflate", "jpeg"])
    func levels(compression: String) throws {
        let file = try Self.pyramid(compression)
        let pictures = try #require(try TIFFPictures(reading: MemoryByteSource(file)))
        #expect(pictures.levels.map(\.size.width) == [500, 250, 125, 62])
        let source = MemoryByteSource(file)
        for (scale, width) in [
            (1, 1000), (0.32, 1000), (0.31, 500), (0.16, 500), (0.15, 250), (0.075, 125), (0.01, 62),
        ] {
            let decode = try #require(try TIFFDecode(DecoderInput(tiff: source, minimumScale: scale)))
            // JPEGs are also made smaller while they are decoded.
            #expect(compression == "jpeg" ? decode.size.width <= width : decode.size.width == width, "\(scale)")
            #expect(Double(decode.size.width) >= 1000 * scale, "\(scale)")
            #expect(decode.storedSize == PixelSize(width: 1000, height: 700))
            #expect(DecodedRows(decode).error == nil)
        }
    }

    @Test("a thumbnail of a level is that of the whole picture, and reads little", arguments: ["deflate", "jpeg"])
    func thumbnail(compression: String) throws {
        let file = try Self.pyramid(compression)
        let options = RenderOptions(targetSize: PixelSize(width: 90, height: 60))
        let whole = try Renderer().render(
            MemoryByteSource(VipsEncoder(suffix: ".tif", options: "compression=none").encode(Self.raster)),
            options: options)
        let source = CountingByteSource(file)
        let image = try Renderer().render(source, options: options)
        #expect(image.decoder == .tiff)
        // Besides the directories, which are read in pieces of up to 32 KB.
        #expect(source.ranges.reduce(0) { $0 + $1.count } < file.count / 3 + 48 << 10)
        let (one, other) = (Pictures.samples(image.bitmap), Pictures.samples(whole.bitmap))
        let difference = zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(one.count == other.count)
        #expect(Double(difference) < 3 * Double(one.count))
    }

    @Test("only the tiles that a crop touches are read", arguments: ["none", "deflate", "lzw", "jpeg"])
    func crop(compression: String) throws {
        var random = SplitMix(state: 20)
        let noise = Raster(
            width: 1000, height: 700, channels: 3,
            bytes: Self.raster.bytes.map { $0 / 2 &+ UInt8(truncatingIfNeeded: random.next() % 128) })
        let file = try VipsEncoder(
            suffix: ".tif", options: "compression=\(compression),tile,tile_width=64,tile_height=64"
        ).encode(noise)
        let picture = try #require(try TIFFPictures(reading: MemoryByteSource(file))).picture
        var places = TIFFBlockPlaces(picture, in: MemoryByteSource(file), order: .little)
        let source = CountingByteSource(file)
        let options = RenderOptions(
            targetSize: PixelSize(width: 20, height: 20),
            normalizedCropRect: NormalizedRect(x: 0.53, y: 0.58, width: 0.02, height: 0.03))
        _ = try Renderer().render(source, options: options)
        let ranges = source.ranges
        var read: [Int] = []
        for index in 0..<picture.columnCount * picture.rowCount {
            let place = try places.range(of: index)
            // The file's head is read in larger pieces.
            guard place.lowerBound > 64 << 10 else { continue }
            if ranges.contains(where: { $0.overlaps(place.lowerBound + 64..<place.upperBound) }) { read.append(index) }
        }
        // Pixels 530 to 550 across and 406 to 427 down, with three more for the kernel: columns 8 of 16, row 6 of 11.
        #expect(read == [6 * 16 + 8])
    }

    @Test("an encoder's padding of the last tiles does not reach the page", arguments: RenderQuality.allCases)
    func padding(quality: RenderQuality) throws {
        for size in [PixelSize(width: 196, height: 195), PixelSize(width: 193, height: 206)] {
            var file = TIFFFile(width: size.width, height: size.height, photometric: 1, samplesPerPixel: 1)
            file.tile = (64, 64)
            file.sample = { y, x, index in y < size.height && x < size.width ? 60 + y / 2 + x / 3 : 0 }
            var options = RenderOptions(targetSize: PixelSize(width: 40, height: 40))
            (options.quality, options.usesEmbeddedPreviews) = (quality, false)
            let expected = try Renderer().render(MemoryByteSource(file.encoded()), options: options).bitmap
            file.compression = 7
            let bitmap = try Renderer().render(MemoryByteSource(file.encoded()), options: options).bitmap
            let (own, plain) = (Pictures.samples(bitmap), Pictures.samples(expected))
            #expect(bitmap.size == expected.size)
            let worst = zip(own, plain).map { abs(Int($0) - Int($1)) }.max()
            #expect(worst! <= 3, "\(size): \(worst!) levels")
        }
    }

    @Test("a JPEG's scaled decode shows the picture in its place")
    func scaledJPEG() throws {
        // Sides that no scale divides.
        for (width, height) in [(997, 701), (1003, 699)] {
            let raster = Raster(Scene(seed: 7, subject: .stillLife), width: width, height: height)
            let options = RenderOptions(targetSize: PixelSize(width: 100, height: 70))
            let whole = try Renderer().render(
                MemoryByteSource(VipsEncoder(suffix: ".tif", options: "compression=none").encode(raster)),
                options: options)
            for layout in ["", ",tile,tile_width=64,tile_height=64"] {
                let file = try VipsEncoder(suffix: ".tif", options: "compression=jpeg,Q=95" + layout).encode(raster)
                let image = try Renderer().render(MemoryByteSource(file), options: options)
                let (one, other) = (Pictures.samples(image.bitmap), Pictures.samples(whole.bitmap))
                let difference = zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
                #expect(Double(difference) < 1.5 * Double(one.count), "\(width)x\(height)\(layout)")
            }
        }
    }

    @Test("a strip or tile larger than the memory is refused before it is read")
    func memory() throws {
        let limits = RenderLimits(memoryByteCount: 8 << 20)
        for (compression, isRefused) in [(5, true), (8, false), (1, false)] {
            var file = TIFFFile(width: 2, height: 2)
            file.compression = compression
            file.rowsPerStrip = nil
            var bytes = file.encoded()
            // The directory's first entries are the width and the height.
            let directory = Int(bytes[4]) | Int(bytes[5]) << 8
            for entry in 0..<2 {
                bytes.replaceSubrange(directory + 10 + 12 * entry..<directory + 12 + 12 * entry, with: [0, 16])
            }
            let source = CountingByteSource(bytes)
            let error = #expect(throws: RenderError.self) {
                try Renderer().render(
                    source, options: RenderOptions(targetSize: PixelSize(width: 10, height: 10)), limits: limits)
            }
            #expect((error == .limitExceeded(limit: .memory)) == isRefused, "\(compression): \(error as Any)")
        }
    }

    @Test("cancelled, a decode stops within some rows")
    func cancelled() throws {
        let token = CancellationToken()
        let file = try VipsEncoder(suffix: ".tif", options: "compression=deflate").encode(Self.raster)
        let decode = try #require(try TIFFDecode(DecoderInput(tiff: MemoryByteSource(file), token: token)))
        var count = 0
        let end = decode.forEachRow(in: 0..<700) { _ in
            count += 1
            token.cancel()
        }
        #expect(end.error == .cancelled)
        #expect(count <= 64)
    }
}
