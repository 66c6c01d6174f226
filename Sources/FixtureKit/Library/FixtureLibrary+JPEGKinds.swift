extension FixtureLibrary {
    /// One JPEG of every kind that a decoder treats on its own. Odd sizes leave partial units at the edges.
    static var jpegKinds: [Fixture] {
        let small = Scene(seed: 201, subject: .landscape)
        let fruit = Scene(seed: 202, subject: .stillLife)
        let sea = Scene(seed: 203, subject: .seaside)
        return [
            jpeg("small-400x300", "About 22 KB, the size that grids are full of.", small, 400, 300, .init(quality: 76)),
            jpeg(
                "subsampling-422", "4:2:2 and an odd size.", sea, 1023, 767,
                .init(quality: 88, subsampling: .yuv422)),
            jpeg(
                "subsampling-444", "4:4:4, as screenshots and editors save.", fruit, 801, 601,
                .init(quality: 90, subsampling: .yuv444)),
            jpeg(
                "subsampling-440", "4:4:0: halved vertically only.", fruit, 401, 303,
                .init(quality: 88, subsampling: .yuv440)),
            jpeg(
                "subsampling-411", "4:1:1: four luma blocks in a row.", small, 413, 299,
                .init(quality: 88, subsampling: .yuv411)),
            jpeg(
                "without-exif", "A plain JFIF file: nothing tells date or orientation.", sea, 1024, 683,
                .init(quality: 85)),
            jpeg(
                "progressive-1600x1200", "Progressive 4:2:0 without a preview.", sea, 1600, 1200,
                .init(quality: 86, isProgressive: true)),
            Fixture("library/progressive-with-preview.jpg", "Progressive 4:2:0 with EXIF and a preview.") {
                () throws(FixtureError) in
                try Shot(
                    scene: Scene(seed: 204, subject: .landscape), width: 1200, height: 900,
                    encoder: JPEGEncoder(quality: 87, isProgressive: true),
                    exif: ExifBlock(orientation: 1, dateTimeOriginal: "2018:03:03 03:03:03", colorSpace: 1)
                ).bytes()
            },
            Fixture(
                "library/multi-picture.jpg", "A second preview of 640 x 480 behind the file's end, found through MPF."
            ) { () throws(FixtureError) in
                try Shot(
                    scene: Scene(seed: 205, subject: .stillLife), width: 1280, height: 960,
                    encoder: JPEGEncoder(quality: 87),
                    exif: ExifBlock(
                        byteOrder: .bigEndian, orientation: 1, dateTimeOriginal: "2017:09:10 17:45:00", colorSpace: 1),
                    largePreviewWidth: 640
                ).bytes()
            },
            jpeg(
                "restart-rows", "A restart marker after every fourth row of units.", small, 1024, 768,
                .init(quality: 88, variation: .restartRows(4))),
            jpeg(
                "restart-units", "A restart marker after every 37 units, in the middle of rows.", fruit, 803, 599,
                .init(quality: 88, variation: .restartUnits(37))),
            jpeg(
                "optimized-tables", "Huffman tables of its own instead of the standard's.", sea, 800, 600,
                .init(quality: 88, variation: .optimizedTables)),
            jpeg(
                "arithmetic", "Arithmetic coding, which few decoders know.", small, 400, 300,
                .init(quality: 85, variation: .arithmetic)),
            Fixture("library/grey.jpg", "One component.") { () throws(FixtureError) in
                try JPEGEncoder(quality: 88, subsampling: .grey).encode(Raster(fruit, width: 1001, height: 751).grey)
            },
            Fixture("library/cmyk.jpg", "Four components, inverted as Adobe does, stored as YCCK.") {
                () throws(FixtureError) in
                try JPEGEncoder(quality: 88, subsampling: .yuv444)
                    .encode(Raster(small, width: 640, height: 480).adobeCMYK)
            },
        ]
    }

    static func jpeg(
        _ name: String, _ purpose: String, _ scene: Scene, _ width: Int, _ height: Int, _ encoder: JPEGEncoder
    ) -> Fixture {
        Fixture("library/\(name).jpg", purpose) { () throws(FixtureError) in
            try encoder.encode(Raster(scene, width: width, height: height))
        }
    }
}
