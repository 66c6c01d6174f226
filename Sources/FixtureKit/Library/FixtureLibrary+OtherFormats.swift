extension FixtureLibrary {
    private static let meadow = Scene(seed: 601, subject: .landscape, noise: 60)
    private static let fruit = Scene(seed: 602, subject: .stillLife, noise: 60)
    private static let coast = Scene(seed: 603, subject: .seaside, noise: 60)

    static var pngs: [Fixture] {
        let plain = VipsEncoder(suffix: ".png", options: "compression=6")
        return [
            Fixture("library/rgb.png", "Eight bits, no alpha.", encoder: .png) { () throws(FixtureError) in
                try plain.encode(Raster(fruit, width: 640, height: 480))
            },
            Fixture("library/soft-alpha-2048x1536.png", "A large cut-out with soft edges.", encoder: .png) {
                () throws(FixtureError) in
                // Drawings and cut-outs are cleaner than photographs; without noise the file stays small too.
                let scene = Scene(seed: 604, subject: .stillLife, noise: 0)
                return try plain.encode(Raster(scene, width: 2048, height: 1536).cutOut)
            },
            Fixture("library/rgb16.png", "Sixteen bits per channel.", encoder: .png) { () throws(FixtureError) in
                let pixels = VipsEncoder.Pixels.words(width: 480, height: 360, coast.rgb16(width: 480, height: 360))
                return try plain.encode(pixels)
            },
            Fixture("library/interlaced.png", "Adam7.", encoder: .png) { () throws(FixtureError) in
                try VipsEncoder(suffix: ".png", options: "interlace=true")
                    .encode(Raster(meadow, width: 501, height: 333))
            },
            Fixture("library/grey.png", "One channel.", encoder: .png) { () throws(FixtureError) in
                try plain.encode(Raster(meadow, width: 480, height: 360).grey)
            },
            Fixture("library/display-p3.png", "A phone's screenshot: wide gamut in a PNG.", encoder: .png) {
                () throws(FixtureError) in
                try plain.encode(
                    RGBSpace.displayP3.encoding(Raster(fruit, width: 360, height: 480)),
                    metadata: .init(profile: ICCProfile(.displayP3, version: .four).bytes))
            },
            Fixture("library/palette.png", "256 colours and stored blocks.") {
                PNGEncoder.encode(Palette.indices(Raster(fruit, width: 320, height: 240)), as: .palette)
            },
        ]
    }

    static var otherFormats: [Fixture] {
        let exif = ExifBlock(
            make: "Thumbwheel", model: "Fixture X", orientation: 1, dateTimeOriginal: "2023:11:05 07:30:00")
        return [
            Fixture("library/lossy.webp", "VP8 with EXIF.", encoder: .webp) { () throws(FixtureError) in
                try VipsEncoder(suffix: ".webp", options: "Q=80")
                    .encode(Raster(coast, width: 1200, height: 900), metadata: .init(exif: exif))
            },
            Fixture("library/alpha.webp", "VP8 with an alpha plane.", encoder: .webp) { () throws(FixtureError) in
                try VipsEncoder(suffix: ".webp", options: "Q=80").encode(Raster(fruit, width: 800, height: 600).cutOut)
            },
            Fixture("library/lossless.webp", "VP8L.", encoder: .webp) { () throws(FixtureError) in
                try VipsEncoder(suffix: ".webp", options: "lossless=true")
                    .encode(Raster(meadow, width: 400, height: 300))
            },
            Fixture("library/photo.heic", "HEVC with EXIF and a wide gamut, as phones take them.", encoder: .heic) {
                () throws(FixtureError) in
                try VipsEncoder(suffix: ".heic", options: "Q=60,compression=hevc")
                    .encode(
                        RGBSpace.displayP3.encoding(Raster(meadow, width: 1200, height: 900)),
                        metadata: .init(exif: exif, profile: ICCProfile(.displayP3, version: .four).bytes))
            },
            Fixture(
                "library/phone.heic", "A grid of tiles, turned, with a thumbnail; the metadata describes both.",
                encoder: .heic
            ) { () throws(FixtureError) in
                var picture = TiledPicture()
                picture.tileSide = 256
                picture.thumbnailWidth = 160
                picture.properties = [ItemFile.box("irot", [3])]
                picture.describesTwoItems = true
                return try picture.file(Raster(fruit, width: 800, height: 600))
            },
            Fixture("library/photo.avif", "AV1.", encoder: .avif) { () throws(FixtureError) in
                // libvips 8.14 knows the name .avif for files only; in memory it goes by the container.
                try VipsEncoder(suffix: ".heif", options: "Q=60,compression=av1,effort=2")
                    .encode(Raster(coast, width: 800, height: 600))
            },
            Fixture("library/still.gif", "One frame.") {
                GIFEncoder.encode([Raster(meadow, width: 320, height: 240)])
            },
            Fixture("library/animated.gif", "Three frames, repeated for ever.") {
                GIFEncoder.encode([coast, fruit, meadow].map { Raster($0, width: 240, height: 180) })
            },
            Fixture("library/rgb.tiff", "Uncompressed strips, big-endian.") {
                TIFFEncoder.encode(Raster(meadow, width: 640, height: 480), order: .bigEndian)
            },
            Fixture("library/rgb.bmp", "24 bits with padded rows.") {
                BMPEncoder.encode(Raster(coast, width: 501, height: 375))
            },
        ]
    }
}

extension Raster {
    /// The picture within a soft ellipse, transparent outside of it.
    var cutOut: Raster {
        let (middleX, middleY) = (width / 2, height / 2)
        return mapped(channels: 4) { rgb, rgba, x, y in
            let dx = (x - middleX) * 1000 / middleX
            let dy = (y - middleY) * 1000 / middleY
            let depth = (900_000 - dx * dx - dy * dy) / 800
            rgba[3] = UInt8(min(max(depth, 0), 255))
            // Colour under full transparency is nobody's.
            for channel in 0..<3 { rgba[channel] = rgba[3] == 0 ? 0 : rgb[channel] }
        }
    }
}
