/// JPEGs of a hundred megapixels, to measure memory with: too large to keep, and quick enough to make.
package enum LargePicture: String, Sendable, CaseIterable {
    case square = "square-10000x10000.jpg"
    case panorama = "panorama-30000x3300.jpg"
    /// The panorama, held upright by its EXIF orientation.
    case uprightPanorama = "upright-panorama-30000x3300.jpg"
    case tall = "tall-3300x30000.jpg"

    private var size: (width: Int, height: Int) {
        switch self {
        case .square: (10_000, 10_000)
        case .panorama, .uprightPanorama: (30_000, 3300)
        case .tall: (3300, 30_000)
        }
    }

    /// One scene again and again, so that painting it takes a second and not minutes.
    package func encoded() throws(FixtureError) -> [UInt8] {
        let tile = Raster(Scene(seed: 77, subject: .landscape), width: 1000, height: 660)
        let (width, height) = size
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 * width * height)
        for y in 0..<height {
            let row = tile.bytes[y % tile.height * 3 * tile.width..<(y % tile.height + 1) * 3 * tile.width]
            var left = 3 * width
            while left > 0 {
                bytes += row.prefix(left)
                left -= min(left, row.count)
            }
        }
        let jpeg = try JPEGEncoder(quality: 88, subsampling: .yuv420)
            .encode(Raster(width: width, height: height, channels: 3, bytes: bytes))
        guard self == .uprightPanorama else { return jpeg }
        return JPEGSegments.inserting([.exif(ExifBlock(orientation: 6))], into: jpeg, dropsJFIF: true)
    }

    /// Writes those that are missing.
    package static func write(to directory: String) throws(FixtureError) {
        for picture in allCases {
            let path = "\(directory)/\(picture.rawValue)"
            if (try? FixtureFiles.read(path)) == nil { try FixtureFiles.write(picture.encoded(), to: path) }
        }
    }
}
