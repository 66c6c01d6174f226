extension FixtureLibrary {
    /// What most of a photo library consists of: baseline 4:2:0 with EXIF, a date, a preview.
    static var cameras: [Fixture] {
        [
            camera(1, .landscape, quality: 88, .bigEndian, "2019:05:04 11:20:31", at: (467_123, 99_456)),
            camera(2, .seaside, quality: 90, .bigEndian, "2019:08:17 20:41:07", offset: "+02:00"),
            camera(3, .stillLife, quality: 85, .littleEndian, "2020:12:24 18:02:55", noise: 350),
            camera(4, .landscape, quality: 92, .littleEndian, "2021:10:09 16:33:12", at: (-338_688, 1_512_093)),
            camera(5, .stillLife, quality: 88, .littleEndian, "2022:02:28 23:59:59", orientation: 6, offset: "-05:00"),
            camera(6, .seaside, quality: 86, .bigEndian, "2022:07:02 05:48:20", at: (-229_519, -432_105)),
            camera(7, .landscape, width: 3000, height: 2000, quality: 88, .littleEndian, "2023:06:21 13:00:00"),
            camera(
                8, .stillLife, width: 3000, height: 2000, quality: 86, .bigEndian, "2024:02:29 09:15:42", subSec: "427"),
        ]
    }

    private static func camera(
        _ number: Int, _ subject: Scene.Subject, width: Int = 1600, height: Int = 1200, quality: Int,
        _ order: ByteOrder, _ date: String, orientation: Int = 1, offset: String? = nil, subSec: String? = nil,
        at place: (latitude: Int, longitude: Int)? = nil, noise: Int = 220
    ) -> Fixture {
        let exif = ExifBlock(
            byteOrder: order, make: "Thumbwheel", model: "Fixture \(order == .bigEndian ? "M" : "I")\(number)",
            orientation: orientation, dateTimeOriginal: date, offsetTimeOriginal: offset, subSecTimeOriginal: subSec,
            location: place.map { ExifBlock.Location(latitude: $0.latitude, longitude: $0.longitude) }, colorSpace: 1)
        // Turned by a quarter, a camera's picture is taller than wide.
        let isTurned = orientation >= 5
        let shot = Shot(
            scene: Scene(seed: UInt64(100 + number), subject: subject, noise: noise),
            width: isTurned ? height : width, height: isTurned ? width : height,
            encoder: JPEGEncoder(quality: quality), exif: exif)
        let held = orientation == 1 ? "" : ", held upright (orientation \(orientation))"
        return Fixture(
            "library/camera-\(number)-\(subject.words.replacing(" ", with: "-"))-\(width)x\(height).jpg",
            "A camera's photograph of a \(subject.words) at quality \(quality)\(held)."
        ) { () throws(FixtureError) in try shot.bytes() }
    }

    /// The same picture eight times, stored as the eight orientations of EXIF would have it.
    static var orientations: [Fixture] {
        (1...8).map { orientation in
            let shot = Shot(
                scene: Scene(seed: 301, subject: .landscape), width: 640, height: 480,
                encoder: JPEGEncoder(quality: 87),
                exif: ExifBlock(
                    byteOrder: orientation.isMultiple(of: 2) ? .bigEndian : .littleEndian, make: "Thumbwheel",
                    model: "Fixture O", orientation: orientation,
                    dateTimeOriginal: "2020:01:0\(orientation) 12:00:00", colorSpace: 1))
            return Fixture(
                "library/orientation-\(orientation).jpg",
                "Stored for EXIF orientation \(orientation), preview too: all eight look alike when displayed."
            ) { () throws(FixtureError) in try shot.bytes() }
        }
    }
}

extension Scene.Subject {
    fileprivate var words: String {
        switch self {
        case .landscape: "landscape"
        case .seaside: "seaside"
        case .stillLife: "still life"
        }
    }
}
