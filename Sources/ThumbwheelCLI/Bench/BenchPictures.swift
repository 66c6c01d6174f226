import CVips
import Thumbwheel

/// The pictures that renders are measured with, in every format whose decoder can be stopped.
struct BenchPictures {
    /// A JPEG of three megapixels.
    let small: BenchPicture
    let stoppable: [BenchPicture]

    init(seed: UInt64) throws {
        VipsRuntime.configure()
        let large = BenchRaster(width: 4000, height: 3000, seed: seed)
        let medium = BenchRaster(width: 2000, height: 1500, seed: seed)
        small = try BenchPicture(small: medium)
        let pictures = [
            try BenchPicture("jpeg", bytes: large.saved(as: ".jpg[Q=92]")),
            try BenchPicture("jpegProgressive", bytes: large.saved(as: ".jpg[Q=92,interlace]")),
            try BenchPicture("png", bytes: large.saved(as: ".png[compression=1]")),
            try BenchPicture("pngInterlaced", bytes: medium.saved(as: ".png[compression=1,interlace]")),
            try BenchPicture("tiff", bytes: large.saved(as: ".tif[compression=none]")),
            try BenchPicture("tiffDeflate", bytes: large.saved(as: ".tif[compression=deflate,tile]")),
            try BenchPicture("gif", bytes: medium.saved(as: ".gif[effort=1,dither=0]")),
            try BenchPicture("webp", bytes: medium.saved(as: ".webp[Q=80,effort=0]")),
            try BenchPicture("webpLossless", bytes: medium.saved(as: ".webp[lossless,effort=0]")),
            try BenchPicture("bmp", bytes: large.bmp),
        ]
        stoppable = pictures.filter { picture in
            let plan = try? RenderPlan(head: picture.asset.head, options: ManagerCancelBench.options)
            return plan?.isStoppable ?? false
        }
    }
}

extension BenchPictures {
    /// A JPEG of three megapixels, which is `small` without the others.
    static func small(seed: UInt64) throws -> BenchPicture {
        VipsRuntime.configure()
        return try BenchPicture(small: BenchRaster(width: 2000, height: 1500, seed: seed))
    }

    /// Photographs of twelve megapixels in the formats that are decoded outside the process, and in PNG. Formats that
    /// libvips cannot write here are left out.
    static func large(seed: UInt64) throws -> [BenchPicture] {
        VipsRuntime.configure()
        let large = BenchRaster(width: 4000, height: 3000, seed: seed)
        let suffixes = [
            ("avif", ".avif[Q=60,effort=0]"), ("heic", ".heic[Q=60,effort=0]"), ("webp", ".webp[Q=80,effort=0]"),
            ("png", ".png[compression=1]"),
        ]
        return try suffixes.compactMap { name, suffix in
            guard let bytes = try? large.saved(as: suffix) else { return nil }
            return try BenchPicture(name, bytes: bytes)
        }
    }

    /// A WebP of about 22 KB.
    static func tiny(seed: UInt64) throws -> BenchPicture {
        VipsRuntime.configure()
        return try BenchPicture(
            "22KB", bytes: BenchRaster(width: 400, height: 300, seed: seed).saved(as: ".webp[Q=78,effort=0]"))
    }
}

extension BenchPicture {
    fileprivate init(small raster: BenchRaster) throws {
        try self.init("small", bytes: raster.saved(as: ".jpg[Q=90]"))
    }
}

/// Pixels, eight bits each of red, green and blue.
private struct BenchRaster {
    let width: Int
    let height: Int
    private var pixels: [UInt8]

    init(width: Int, height: Int, seed: UInt64) {
        self.width = width
        self.height = height
        pixels = []
        pixels.reserveCapacity(width * height * 3)
        var random = SeededGenerator(seed: seed)
        for y in 0..<height {
            for x in 0..<width {
                let noise = random.next()
                for channel in 0..<3 {
                    // Discs of a few hundred pixels, shaded, one hue each.
                    let (u, v) = (x % 397 - 198, y % 311 - 155)
                    let disc = u * u + v * v < 22_000 ? (x / 397 * 53 + y / 311 * 31 + channel * 71) % 128 : 40
                    let shade = (x * 40 / width) + (y * 60 / height)
                    pixels.append(UInt8(disc + shade + Int(noise >> (8 * channel) & 7)))
                }
            }
        }
    }

    func saved(as suffix: String) throws -> [UInt8] {
        try pixels.withUnsafeBytes { pixels in
            guard
                let image = vips_image_new_from_memory(
                    pixels.baseAddress, pixels.count, Int32(width), Int32(height), 3, VIPS_FORMAT_UCHAR)
            else { throw BenchError("libvips takes no pixels") }
            defer { g_object_unref(image) }
            image.pointee.Type = VIPS_INTERPRETATION_sRGB
            var bytes: UnsafeMutableRawPointer?
            var count = 0
            guard tw_vips_save(image, suffix, &bytes, &count) == 0, let bytes else {
                throw BenchError("libvips does not save \(suffix): \(String(cString: vips_error_buffer()))")
            }
            defer { g_free(bytes) }
            return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
        }
    }

    /// 24 bits a pixel from the bottom row, which libvips writes through another library only.
    var bmp: [UInt8] {
        func words(_ values: [(Int, byteCount: Int)]) -> [UInt8] {
            values.flatMap { value, count in (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        }
        let rowByteCount = (width * 3 + 3) / 4 * 4
        var bytes: [UInt8] = [0x42, 0x4D]
        bytes += words([(54 + rowByteCount * height, 4), (0, 4), (54, 4)])
        bytes += words([
            (40, 4), (width, 4), (height, 4), (1, 2), (24, 2), (0, 4), (0, 4), (2835, 4), (2835, 4), (0, 8),
        ])
        bytes.reserveCapacity(54 + rowByteCount * height)
        for y in (0..<height).reversed() {
            for x in 0..<width {
                let start = (y * width + x) * 3
                bytes.append(pixels[start + 2])
                bytes.append(pixels[start + 1])
                bytes.append(pixels[start])
            }
            bytes += repeatElement(0, count: rowByteCount - width * 3)
        }
        return bytes
    }
}
