import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import FixtureKit
@testable import ThumbwheelRendering

/// The memory that a rendering is predicted to take, beside the bytes that its decoder holds for the whole picture.
@Suite("Memory accounts") struct MemoryAccountTests {
    /// The predicted memory of a file above that of a file of the same width and form whose decoder holds nothing.
    private func predicted(_ file: [UInt8], quality: RenderQuality = .high) throws -> Int {
        let head = try ImageHead(reading: MemoryByteSource(file))
        var options = RenderOptions(targetSize: PixelSize(width: 64, height: 64))
        options.quality = quality
        options.usesEmbeddedPreviews = false
        let cost = try RenderCost(head: head, options: options, byteCount: file.count)
        return cost.workingByteCount - 512 * 1024 - head.storedSize.width * 4 * 200 * cost.decodeEighths / 8
    }

    @Test("an interlaced PNG is held as a whole", arguments: [(8, 2, 3), (16, 2, 6), (8, 6, 4), (16, 6, 8)])
    func png(_ depth: Int, _ colorType: Int, _ bytesPerPixel: Int) throws {
        var file = PNGFile(width: 300, height: 200, depth: depth, colorType: colorType)
        #expect(try predicted(file.encoded()) == 0)
        file.isInterlaced = true
        let head = try ImageHead(reading: MemoryByteSource(file.encoded()))
        #expect(try predicted(file.encoded()) == 60_000 * bytesPerPixel)
        #expect(
            PNGCodec().memory(of: .png, for: head, eighths: 8, byteCount: 0).maximum == 60_000 * bytesPerPixel)
    }

    @Test("of a GIF, the picture counts that exceeds the screen")
    func gif() throws {
        var file = GIFFile(300, 200)
        file.screen = (1, 1)
        let bytes = file.encoded()
        let head = try ImageHead(reading: MemoryByteSource(bytes))
        #expect(head.storedSize == PixelSize(width: 300, height: 200))
        #expect(try predicted(bytes) >= 60_000)
        let image = try Renderer().render(
            MemoryByteSource(bytes), options: RenderOptions(targetSize: .maximum, resizeMode: .none))
        #expect(image.bitmap.size == head.displaySize)
        // Only the first picture enlarges the screen, because only that picture is shown.
        var first = file
        first.picture = (0, 0, 1, 1)
        first.indices = [0]
        // A picture's descriptor and the size of its codes are the last eleven bytes of the front.
        let later = first.encoded().dropLast() + file.front.suffix(11) + GIFFile.blocks(file.codes) + [0x3B]
        #expect(try ImageHead(reading: MemoryByteSource(Array(later))).storedSize == PixelSize(width: 1, height: 1))
    }

    @Test("a lossless WebP is held in four bytes a pixel beside its data")
    func losslessWebP() throws {
        let raster = Raster(Scene(seed: 3, subject: .landscape), width: 300, height: 200)
        let lossless = try VipsEncoder(suffix: ".webp", options: "lossless=true").encode(raster)
        #expect(try predicted(lossless) >= 240_000 + lossless.count)
        let lossy = try VipsEncoder(suffix: ".webp", options: "Q=80").encode(raster)
        #expect(try predicted(lossy) < 240_000)
    }

    @Test("the alpha of a lossy WebP is held at full size")
    func transparentWebP() throws {
        let raster = Raster(
            width: 300, height: 200, channels: 4,
            bytes: (0..<60_000).flatMap {
                [UInt8(truncatingIfNeeded: $0), 80, 120, UInt8(truncatingIfNeeded: $0 / 300)]
            })
        let lossy = try VipsEncoder(suffix: ".webp", options: "Q=80").encode(raster)
        let head = try ImageHead(reading: MemoryByteSource(lossy))
        try #require(head.hasAlpha)
        // At an eighth of the size the decoded pixels are few, and the alpha has as many samples as ever.
        let memory = WebPCodec().memory(of: .webp, for: head, eighths: 1, byteCount: lossy.count)
        #expect(memory.typical >= 60_000 + lossy.count)
        // Alpha of some codings takes libwebp five bytes a pixel, beside planes of two and a half, or four a pixel.
        #expect(memory.maximum >= 450_000 + lossy.count)
        let whole = WebPCodec().memory(of: .webp, for: head, eighths: 8, byteCount: lossy.count)
        #expect(whole.maximum >= 540_000 + lossy.count)
    }

    @Test("a WebP that takes more memory than the limit is refused by the decoder too")
    func boundedWebP() throws {
        let scene = Pictures.scene(300, 200, format: .rgba)
        let lossy = MemoryByteSource(try scene.encoded(as: .webp(quality: 80)))
        let container = try WebPContainer(lossy)
        let guardian = DecodeGuard(cancellation: nil, duration: .seconds(3600))
        func refusal(_ byteCount: Int, _ open: (RenderLimits) throws(RenderError) -> any RowDecoder) -> RenderError? {
            do throws(RenderError) {
                _ = try open(RenderLimits(memoryByteCount: byteCount))
                return nil
            } catch {
                return error
            }
        }
        func reduced(_ limits: RenderLimits) throws(RenderError) -> any RowDecoder {
            try WebPAlphaRows(
                lossy, container, WebPRows.Options(reduction: 2, isFiltered: true), keepsProfile: false, limits: limits,
                guardian: guardian)
        }
        func whole(_ limits: RenderLimits) throws(RenderError) -> any RowDecoder {
            try WebPDecode(lossy, container, eighths: 8, keepsProfile: false, limits: limits, guardian: guardian)
        }
        #expect(refusal(449_999, reduced) == .limitExceeded(limit: .memory) && refusal(450_000, reduced) == nil)
        #expect(refusal(539_999, whole) == .limitExceeded(limit: .memory) && refusal(540_000, whole) == nil)
    }

    @Test("a strip of LZW is held as a whole, and a strip that is decompressed row by row is not")
    func tiff() throws {
        func bytes(_ compression: Int, rowsPerStrip: Int?) throws -> Int {
            var file = TIFFFile(width: 300, height: 200)
            file.compression = compression
            file.rowsPerStrip = rowsPerStrip
            return try predicted(file.encoded())
        }
        #expect(try bytes(5, rowsPerStrip: nil) >= 180_000)
        #expect(try 9_000..<18_000 ~= bytes(5, rowsPerStrip: 10))
        #expect(try bytes(1, rowsPerStrip: nil) == 0)
        #expect(try bytes(32_773, rowsPerStrip: nil) == 0)
    }

    @Test("a JPEG strip is held as pixels")
    func jpegInTIFF() throws {
        let raster = Raster(Scene(seed: 3, subject: .landscape), width: 304, height: 208)
        let options = "compression=jpeg,Q=80,tile=true,tile-width=304,tile-height=208"
        let file = try VipsEncoder(suffix: ".tif", options: options).encode(raster)
        #expect(try predicted(file) >= 304 * 208 * 3)
    }
}
