import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

/// Hashes and what is painted of them, beside what other implementations of the format make of the same pixels.
@Suite("ThumbHash of bitmaps")
struct ThumbHashBitmapTests {
    /// A picture's hash by `rgba_to_thumb_hash`, and of what `thumb_hash_to_rgba` paints of it the corners, the middle and
    /// one more, as red, green, blue and alpha: the PyPI package fast_thumbhash 1.0.0, which is Evan Wallace's own crate. The
    /// port to Python, thumbhash 0.1.2, gives the same hashes.
    struct Reference: Sendable, CustomTestStringConvertible {
        let picture: PixelSize
        let hasAlpha: Bool
        let hex: String
        let painted: PixelSize
        let pixels: [UInt32]

        init(_ width: Int, _ height: Int, alpha: Bool, _ hex: String, _ painted: PixelSize, _ pixels: [UInt32]) {
            picture = PixelSize(width: width, height: height)
            hasAlpha = alpha
            self.hex = hex
            self.painted = painted
            self.pixels = pixels
        }

        var testDescription: String { "\(picture)\(hasAlpha ? " with alpha" : "")" }

        /// Gradients, a red rectangle, and, transparent around it, a circle.
        var bitmap: Bitmap { Self.bitmap(picture, hasAlpha: hasAlpha) }

        static func bitmap(_ size: PixelSize, hasAlpha: Bool = false) -> Bitmap {
            let (width, height) = (size.width, size.height)
            return Pictures.bitmap(width, height, format: hasAlpha ? .rgba : .rgb) { x, y, channel in
                let (red, green) = (255 * x / (width - 1), 255 * y / (height - 1))
                let isInside = width / 4..<width / 2 ~= x && height / 3..<2 * height / 3 ~= y
                switch channel {
                case 0: return isInside ? 230 : red
                case 1: return isInside ? 40 : green
                case 2: return isInside ? 60 : 255 - (red + green) / 2
                default:
                    let (dx, dy) = (2 * x - width, 2 * y - height)
                    return 4 * (dx * dx + dy * dy) < width * width ? 255 : x < width / 2 ? 60 : 0
                }
            }
        }
    }

    static let references = [
        Reference(
            100, 75, alpha: false, "1f28066d9a8077778077888877688777708016f657", PixelSize(width: 32, height: 23),
            [0x000B_FFFF, 0xD60A_97FF, 0xB858_5AFF, 0x5B1B_D5FF, 0x00FD_95FF, 0xCDFF_02FF]),
        Reference(
            60, 90, alpha: false, "1f28066d1a8077807787786787777888708016f657", PixelSize(width: 23, height: 32),
            [0x000B_FFFF, 0xD407_95FF, 0xAF5B_58FF, 0x6223_D2FF, 0x00FF_9CFF, 0xD1FF_06FF]),
        Reference(
            64, 64, alpha: false, "1f28066f1a80777780778788777887788787080768617f05", PixelSize(width: 32, height: 32),
            [0x000E_FFFF, 0xD508_96FF, 0xB55C_55FF, 0x6121_CFFF, 0x00FE_96FF, 0xD2FF_07FF]),
        Reference(
            100, 40, alpha: true, "1f2882328c48647b707c89557065f53809988778877878", PixelSize(width: 32, height: 13),
            [0x5D4C_CD40, 0x7654_AD00, 0xB365_5FFF, 0x944E_95CB, 0x48B8_7740, 0x63B2_6200]),
        Reference(
            48, 64, alpha: true, "1d3882140624310d83688b6838201404acc171798807d8780c", PixelSize(width: 26, height: 32),
            [0x5765_A355, 0x696F_870C, 0xAE59_58FF, 0x8E59_7850, 0x4B91_8355, 0x657B_8000]),
        Reference(
            90, 10, alpha: false, "5f1806719e80777770888778718026f668", PixelSize(width: 32, height: 5),
            [0x0101_FFFF, 0xD60B_9AFF, 0xB466_55FF, 0x651E_B8FF, 0x00FF_85FF, 0xCEFF_00FF]),
        Reference(
            5, 7, alpha: false, "5f1806751e8087717787787777777888708017f768", PixelSize(width: 23, height: 32),
            [0x0000_FFFF, 0xF602_8CFF, 0x9C6F_5FFF, 0x5A21_D2FF, 0x00FF_8EFF, 0xF0FF_00FF]),
    ]

    @Test("a picture of up to 100 pixels has the reference's hash, bit by bit", arguments: references)
    func hash(reference: Reference) {
        #expect(ThumbHash(reference.bitmap).hex == reference.hex)
    }

    @Test("what is painted is the reference's to within a level", arguments: references)
    func painted(reference: Reference) throws {
        let bitmap = Bitmap(ThumbHash(reference.bitmap))
        #expect(bitmap.size == reference.painted && bitmap.format == (reference.hasAlpha ? .rgba : .rgb))
        let (right, bottom) = (bitmap.size.width - 1, bitmap.size.height - 1)
        let places = [
            (0, 0), (right, 0), ((right + 1) / 2, (bottom + 1) / 2), ((right + 1) / 3, (bottom + 1) / 4), (0, bottom),
            (right, bottom),
        ]
        let samples = Pictures.samples(bitmap)
        for ((x, y), pixel) in zip(places, reference.pixels) {
            for channel in 0..<bitmap.format.bytesPerPixel {
                let expected = Int(truncatingIfNeeded: pixel >> (24 - 8 * UInt32(channel)) & 255)
                let sample = samples[y * bitmap.bytesPerRow + x * bitmap.format.bytesPerPixel + channel]
                #expect(abs(Int(sample) - expected) <= 1, "\(x), \(y), channel \(channel)")
            }
        }
    }

    @Test("a larger picture has the hash that it has when it is small", arguments: [false, true])
    func larger(hasAlpha: Bool) {
        let small = Reference.bitmap(PixelSize(width: 96, height: 72), hasAlpha: hasAlpha)
        let large = Reference.bitmap(PixelSize(width: 960, height: 720), hasAlpha: hasAlpha)
        expectAlike(ThumbHash(large), ThumbHash(small))
    }

    @Test(
        "a placeholder has the aspect that is asked for",
        arguments: [(1.5, 32, 21), (0.5, 16, 32), (100, 32, 1), (1, 32, 32)] as [(Double, Int, Int)])
    func aspect(ratio: Double, width: Int, height: Int) {
        let hash = ThumbHash(Reference.bitmap(PixelSize(width: 60, height: 90)))
        #expect(Bitmap(hash, aspectRatio: ratio).size == PixelSize(width: width, height: height))
        for nonsense in [0, -1, .nan, .infinity] {
            #expect(Bitmap(hash, aspectRatio: nonsense).size == Bitmap(hash).size)
        }
    }

    @Test("any bytes that pass for a hash can be painted", arguments: UInt64(1)...200)
    func anyBytes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = (0..<25).map { _ in UInt8(random.index(below: 256)) }
        let hashes = (5...25).compactMap { ThumbHash(bytes: Array(bytes.prefix($0))) }
        for hash in hashes {
            #expect(max(Bitmap(hash).size.width, Bitmap(hash).size.height) == 32, "seed \(seed)")
        }
    }

    // MARK: Made in passing

    private static let formats: [ImageEncoding] = [.jpeg(quality: 92), .png, .webp(quality: 92)]

    @Test(
        "a cropped rendering comes with the hash of all of its file", arguments: formats,
        [(1200, 800), (800, 1200), (400, 300), (400, 267), (171, 256), (613, 411), (180, 270), (90, 60)])
    func inPassing(format: ImageEncoding, size: (Int, Int)) throws {
        let picture = Reference.bitmap(PixelSize(width: size.0, height: size.1))
        let source = MemoryByteSource(try picture.encoded(as: format))
        for quality in RenderQuality.allCases {
            let options = RenderOptions(targetSize: PixelSize(width: 64, height: 64), quality: quality)
            let image = try Renderer().render(source, options: options, makesThumbHash: true)
            expectAlike(try #require(image.thumbHash), ThumbHash(picture))
            let plain = try Renderer().render(source, options: options)
            #expect(plain.thumbHash == nil && Pictures.samples(plain.bitmap) == Pictures.samples(image.bitmap))
        }
    }

    @Test("a hash is of the upright picture", arguments: ImageOrientation.allCases)
    func upright(orientation: ImageOrientation) throws {
        let stored = Reference.bitmap(PixelSize(width: 720, height: 480))
        let bytes = try Pictures.jpeg(stored, orientation: orientation)
        let image = try Renderer().render(
            MemoryByteSource(bytes), options: RenderOptions(targetSize: PixelSize(width: 64, height: 64)),
            makesThumbHash: true)
        expectAlike(try #require(image.thumbHash), ThumbHash(Pictures.upright(stored, orientation)))
    }

    @Test(
        "means of blocks serve files of every kind",
        arguments: [
            "progressive-1600x1200.jpg", "camera-1-landscape-1600x1200.jpg", "display-p3.jpg", "adobe-rgb.jpg",
            "grey.jpg",
        ].filter { (try? FileByteSource(path: "Fixtures/library/" + $0)) != nil })
    func kinds(name: String) throws {
        let source = try FileByteSource(path: "Fixtures/library/" + name)
        let size = PixelSize(width: 128, height: 128)
        let cropped = try Renderer().render(source, options: RenderOptions(targetSize: size), makesThumbHash: true)
        let whole = try Renderer().render(source, options: RenderOptions(targetSize: size, contentMode: .aspectFit))
        expectAlike(try #require(cropped.thumbHash), ThumbHash(whole.bitmap))
    }

    @Test("a preview's hash leaves out its black bars")
    func preview() throws {
        let picture = Reference.bitmap(PixelSize(width: 160, height: 106))
        let samples = Pictures.samples(picture)
        let barred = Pictures.bitmap(160, 120) { x, y, channel in
            7..<113 ~= y ? Int(samples[((y - 7) * 160 + x) * 3 + channel]) : 0
        }
        let bytes = try barred.encoded(as: .jpeg(quality: 95))
        let head = ImageHead(
            contentType: .jpeg, storedSize: PixelSize(width: 3000, height: 2000), orientation: .up,
            previews: [EmbeddedPreview(byteRange: 0..<bytes.count, contentType: .jpeg)])
        let image = try Renderer().renderPreview(
            MemoryByteSource(bytes), head: head, options: RenderOptions(targetSize: PixelSize(width: 256, height: 256)),
            makesThumbHash: true)
        expectAlike(try #require(image.thumbHash), ThumbHash(picture))
    }

    @Test("a damaged file's image has no hash, and damage below the crop none either")
    func damaged() throws {
        let picture = Reference.bitmap(PixelSize(width: 600, height: 1800))
        let bytes = try picture.encoded(as: .jpeg(quality: 92))
        // The middle third is in the first nine tenths.
        let cut = MemoryByteSource(Array(bytes.prefix(bytes.count * 9 / 10)))
        var options = RenderOptions(targetSize: PixelSize(width: 64, height: 64), quality: .high)
        let image = try Renderer().render(cut, options: options, makesThumbHash: true)
        #expect(image.thumbHash == nil && !image.isPartial)
        options.contentMode = .aspectFit
        options.quality = .fast
        let partial = try Renderer().render(cut, options: options, makesThumbHash: true)
        #expect(partial.thumbHash == nil && partial.isPartial)
    }

    /// Steps are coarse, and what lies between two may fall to either side: what is painted is nearly the same.
    private func expectAlike(_ one: ThumbHash, _ other: ThumbHash, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(one.aspectRatio == other.aspectRatio, sourceLocation: sourceLocation)
        let (first, second) = (Pictures.samples(Bitmap(one)), Pictures.samples(Bitmap(other)))
        #expect(first.count == second.count, sourceLocation: sourceLocation)
        let difference = zip(first, second).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(Double(difference) / Double(first.count) < 8, sourceLocation: sourceLocation)
    }
}

extension ThumbHash {
    fileprivate var hex: String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
