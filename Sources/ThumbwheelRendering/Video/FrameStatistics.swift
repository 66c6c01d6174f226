import ThumbwheelCore

/// The contrast of a frame, and whether the frame shows something. Both are measured on a grid of luma samples, to
/// choose the frame that represents a video.
struct FrameStatistics {
    /// The standard deviation of the samples, in 8-bit levels.
    let contrast: Double
    /// Whether the frame tells something about the video: it is neither black nor of one colour. The first such frame
    /// is chosen to represent the video.
    let isInformative: Bool

    private static let sideCount = 64
    /// A frame with less contrast than this counts as being of one colour, apart from noise.
    private static let minimumContrast = 4.0
    /// A sample below this level is dark: in video range, black is 16.
    private static let darkLevel = 32.0
    /// A frame counts as black if less than this fraction of its samples is at `darkLevel` or lighter.
    private static let minimumLightFraction = 0.02

    init(_ picture: DecodedPicture) {
        let plane = picture.planes[0]
        let unit = Double(1 << (picture.bitsPerSample - 8))
        let rows = min(Self.sideCount, plane.size.height)
        let columns = min(Self.sideCount, plane.size.width)
        var (sum, squares, lightCount) = (0.0, 0.0, 0)
        for row in 0..<rows {
            let line = plane.samples + (2 * row + 1) * plane.size.height / (2 * rows) * plane.bytesPerRow
            for column in 0..<columns {
                let x = (2 * column + 1) * plane.size.width / (2 * columns)
                let level =
                    picture.bitsPerSample > 8
                    ? Double(line.loadUnaligned(fromByteOffset: 2 * x, as: UInt16.self)) / unit
                    : Double(line.load(fromByteOffset: x, as: UInt8.self))
                sum += level
                squares += level * level
                if level >= Self.darkLevel { lightCount += 1 }
            }
        }
        let count = Double(max(1, rows * columns))
        let mean = sum / count
        contrast = max(0, squares / count - mean * mean).squareRoot()
        isInformative = contrast >= Self.minimumContrast && Double(lightCount) >= count * Self.minimumLightFraction
    }
}
