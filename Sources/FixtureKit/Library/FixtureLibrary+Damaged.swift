extension FixtureLibrary {
    /// Files that must end in a typed error or in what can be saved of them. They lie apart from the library.
    static var damaged: [Fixture] {
        [
            Fixture("damaged/truncated.jpg", "A camera's photograph, cut off after 60 % of its bytes.") {
                () throws(FixtureError) in
                let whole = try Shot(
                    scene: Scene(seed: 701, subject: .landscape), width: 1024, height: 768,
                    encoder: JPEGEncoder(quality: 88), exif: ExifBlock(orientation: 1)
                ).bytes()
                return Array(whole.prefix(whole.count * 6 / 10))
            },
            Fixture("damaged/truncated.png", "A PNG, cut off after 60 % of its bytes.", encoder: .png) {
                () throws(FixtureError) in
                let whole = try VipsEncoder(suffix: ".png", options: "compression=6")
                    .encode(Raster(Scene(seed: 702, subject: .stillLife, noise: 60), width: 400, height: 300))
                return Array(whole.prefix(whole.count * 6 / 10))
            },
            Fixture("damaged/text.jpg", "Words under a picture's name.") {
                Array("This is not a photograph, whatever its name says.\n".utf8)
            },
            Fixture("damaged/empty.jpg", "No bytes at all.") { [] },
        ]
    }
}
