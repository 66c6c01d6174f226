import ThumbwheelCore

/// One component's samples in one row of minimum coded units.
final class PlaneBand {
    /// The size of the whole plane, in samples that belong to the image.
    let size: PixelSize
    /// The number of rows of samples in a row of units.
    let height: Int
    let pitch: Int
    private let samples: AlignedPlane<PlaneSample>

    /// - Parameter width: the number of samples written in each row, including samples outside the image.
    init(size: PixelSize, width: Int, height: Int) {
        self.size = size
        self.height = height
        // The pitch has room for 72 samples more: transforms write eight blocks at a time, and eight samples behind these.
        pitch = width + 72
        samples = AlignedPlane(pitch: pitch, rowCount: height, slack: 64)
    }

    func row(_ row: Int) -> UnsafeMutablePointer<PlaneSample> {
        samples[row]
    }

    /// Repeats the image's last sample behind it, in a row whose samples have all been made.
    ///
    /// The repeated sample is needed because a chroma sample at the image's edge may have only one of its two luma samples
    /// inside the image.
    func closeRow(_ row: Int) {
        let end = self.row(row) + size.width
        end[0] = end[-1]
    }

    /// Makes each row neutral grey from a column on.
    func blank(from column: Int) {
        for line in 0..<height where column < pitch {
            (samples[line] + column).update(repeating: 0, count: pitch - column)
        }
    }
}
