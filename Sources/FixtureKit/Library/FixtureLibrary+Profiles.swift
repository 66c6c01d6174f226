extension FixtureLibrary {
    /// The same scene stored in three colour spaces: a colour-managed viewer shows no difference, another one does.
    static var profiles: [Fixture] {
        [
            profiled("display-p3", .displayP3, .four, "A phone's wide gamut, profile version 4."),
            profiled("adobe-rgb", .adobeRGB, .two, "A camera's wide gamut, profile version 2, another curve."),
            profiled("srgb-profile", .sRGB, .two, "Conversion must change nothing here."),
        ]
    }

    private static func profiled(
        _ name: String, _ space: RGBSpace, _ version: ICCProfile.Version, _ purpose: String
    ) -> Fixture {
        Fixture("library/\(name).jpg", purpose) { () throws(FixtureError) in
            let stored = space.encoding(Raster(Scene(seed: 401, subject: .stillLife), width: 960, height: 720))
            var exif = ExifBlock(
                orientation: 1, dateTimeOriginal: "2021:05:05 10:00:00", pixelWidth: 960, pixelHeight: 720,
                colorSpace: space == .sRGB ? 1 : 65_535)
            exif.preview = try Shot.preview(of: stored)
            return JPEGSegments.inserting(
                [.exif(exif), .icc(ICCProfile(space, version: version).bytes)],
                into: try JPEGEncoder(quality: 90).encode(stored), dropsJFIF: true)
        }
    }

    /// Pictures of shapes that break layouts and shortcuts.
    static var oddShapes: [Fixture] {
        [
            jpeg(
                "panorama-5000x10", "Ten rows of five thousand pixels.", Scene(seed: 501, subject: .seaside), 5000, 10,
                .init(quality: 88)),
            jpeg(
                "tall-100x2400", "As narrow as a screenshot of a whole page.", Scene(seed: 502, subject: .landscape),
                100, 2400, .init(quality: 88)),
            Fixture("library/one-pixel.png", "The smallest picture that there is.") {
                PNGEncoder.encode(Raster(width: 1, height: 1, channels: 3, bytes: [200, 120, 40]), as: .rgb)
            },
        ]
    }
}
