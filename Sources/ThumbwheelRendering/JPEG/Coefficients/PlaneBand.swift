import ThumbwheelCore

/// One component's samples in one row of minimum coded units.
final class PlaneBand {
    /// The size of the component's whole plane in samples, without the samples that only fill up the last blocks.
    let size: PixelSize
    /// The number of rows of samples in a row of minimum coded units.
    let height: Int
    let pitch: Int
    private let samples: AlignedPlane<PlaneSample>

    /// - Parameter width: the number of samples written in each row, including samples outside the image.
    init(size: PixelSize, width: Int, height: Int) {
        self.size = size
        self.height = height
        // A transform writes eight blocks at a time, which are up to 64 samples wide, and up to eight more samples
        // after them. So each row has room for 72 more samples.
        pitch = width + 72
        samples = AlignedPlane(pitch: pitch, rowCount: height, slack: 64)
    }

    func row(_ row: Int) -> UnsafeMutablePointer<PlaneSample> {
        samples[row]
    }

    /// Copies the last sample of a row that lies inside the image to the place right of it. All samples of the row must
    /// have been made before this call.
    ///
    /// A consumer averages the two luma samples that a chroma sample covers. At the image's right edge, the second of
    /// these luma samples may lie outside the image. The copied sample then takes its place.
    func closeRow(_ row: Int) {
        let end = self.row(row) + size.width
        end[0] = end[-1]
    }

    /// Fills each row with neutral grey, from the sample with the index `column` to the end of the row.
    func blank(from column: Int) {
        for line in 0..<height where column < pitch {
            (samples[line] + column).update(repeating: 0, count: pitch - column)
        }
    }
}
