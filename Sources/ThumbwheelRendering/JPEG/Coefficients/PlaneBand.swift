import ThumbwheelCore

/// One component's samples of a row of minimum coded units.
final class PlaneBand {
    /// Samples of the whole plane that belong to the image.
    let size: PixelSize
    /// Rows of a row of units.
    let height: Int
    let pitch: Int
    private let samples: AlignedPlane<PlaneSample>

    /// - Parameter width: samples that are written, image or not.
    init(size: PixelSize, width: Int, height: Int) {
        self.size = size
        self.height = height
        // Transforms write eight blocks at a time, and eight samples more.
        pitch = width + 72
        samples = AlignedPlane(pitch: pitch, rowCount: height, slack: 64)
    }

    func row(_ row: Int) -> UnsafeMutablePointer<PlaneSample> {
        samples[row]
    }

    /// Repeats the last sample of the image behind it, in a row whose samples have all been made.
    ///
    /// A sample of chroma at the image's edge may have only one of its two samples of luma inside the image.
    func closeRow(_ row: Int) {
        let end = self.row(row) + size.width
        end[0] = end[-1]
    }

    /// Makes the rest of each row neutral grey.
    func blank(from column: Int) {
        for line in 0..<height where column < pitch {
            (samples[line] + column).update(repeating: 0, count: pitch - column)
        }
    }
}
