import CVips
import VipsStart

/// Copies of photographs in the formats that phones and cameras write, to measure decoders with.
package enum FormatCopies {
    /// A format to copy to: the name of its folder and of its files' ends, and how its files are made.
    package struct Format: Sendable {
        package let name: String
        package let suffix: String
        let encode: @Sendable (Raster) throws(FixtureError) -> [UInt8]
    }

    /// All formats. The copies have neither metadata nor profile, so that every peer shows the same.
    package static let all: [Format] = [
        Format(name: "heic-tiles", suffix: "heic") { raster throws(FixtureError) in
            var picture = TiledPicture()
            picture.tileSide = 512
            picture.thumbnailWidth = raster.width >= raster.height ? 320 : 240
            return try picture.file(raster)
        },
        vips("heic", "heic", ".heic", "Q=70,compression=hevc"),
        vips("avif", "avif", ".heif", "Q=70,compression=av1,effort=2"),
        vips("png", "png", ".png", "compression=6"),
        Format(name: "png-alpha", suffix: "png") { raster throws(FixtureError) in
            try VipsEncoder(suffix: ".png", options: "compression=6").encode(raster.cutOut)
        },
        Format(name: "png-16", suffix: "png") { raster throws(FixtureError) in
            let words = raster.bytes.enumerated().map { index, byte in
                // Lower bits of a sensor's noise, which no encoder can compress.
                UInt16(byte) << 8 | UInt16(truncatingIfNeeded: index &* 0x9E37_79B1 >> 13) & 255
            }
            return try VipsEncoder(suffix: ".png", options: "compression=6")
                .encode(.words(width: raster.width, height: raster.height, words))
        },
        vips("webp", "webp", ".webp", "Q=80"),
        vips("webp-lossless", "webp", ".webp", "lossless,effort=2"),
        Format(name: "webp-alpha", suffix: "webp") { raster throws(FixtureError) in
            try VipsEncoder(suffix: ".webp", options: "Q=80").encode(raster.cutOut)
        },
        vips("tiff", "tif", ".tif", "compression=none"),
        vips("tiff-lzw", "tif", ".tif", "compression=lzw,predictor=horizontal"),
        vips("tiff-deflate", "tif", ".tif", "compression=deflate,predictor=horizontal"),
        vips("tiff-pyramid", "tif", ".tif", "compression=jpeg,Q=85,tile,pyramid"),
        vips("gif", "gif", ".gif", "effort=1"),
    ]

    private static func vips(_ name: String, _ suffix: String, _ saver: String, _ options: String) -> Format {
        Format(name: name, suffix: suffix) { raster throws(FixtureError) in
            try VipsEncoder(suffix: saver, options: options).encode(raster)
        }
    }

    /// The copy of a photograph.
    ///
    /// - Parameter path: any file that libvips opens.
    package static func copy(of path: String, as format: Format) throws(FixtureError) -> [UInt8] {
        try format.encode(Raster(contentsOf: path))
    }
}

extension Raster {
    /// The picture in a file, without alpha.
    init(contentsOf path: String) throws(FixtureError) {
        guard VipsStart.isUsable else { throw .encoder("libvips", "does not start") }
        guard let image = tw_vips_open(path) else { throw .encoder("libvips", path) }
        defer { g_object_unref(image) }
        var byteCount = 0
        guard image.pointee.Bands == 3, image.pointee.BandFmt == VIPS_FORMAT_UCHAR,
            let memory = vips_image_write_to_memory(image, &byteCount)
        else { throw .encoder("libvips", "\(path) is no picture in colours") }
        defer { g_free(memory) }
        self.init(
            width: Int(image.pointee.Xsize), height: Int(image.pointee.Ysize), channels: 3,
            bytes: [UInt8](UnsafeRawBufferPointer(start: memory, count: byteCount)))
    }
}

extension FormatCopies {
    /// Writes the copies of photographs that are missing, a folder for each format.
    package static func write(_ photographs: [String], to directory: String) throws(FixtureError) {
        for format in all { try FixtureFiles.makeDirectory("\(directory)/\(format.name)") }
        for photograph in photographs {
            let file = photograph.split(separator: "/").last.map(String.init) ?? photograph
            let name = file.split(separator: ".").dropLast().joined(separator: ".")
            for format in all {
                let path = "\(directory)/\(format.name)/\(name).\(format.suffix)"
                if try FixtureFiles.read(path) == nil {
                    try FixtureFiles.write(copy(of: photograph, as: format), to: path)
                }
            }
        }
    }
}
