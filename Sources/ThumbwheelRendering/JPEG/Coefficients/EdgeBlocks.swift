import ThumbwheelCore

/// The blocks at the right and lower edges that lie partly outside the image. Only their samples inside the image may
/// influence the result.
///
/// Encoders choose the samples outside the image freely: most encoders repeat the image's last samples, but some write
/// arbitrary values. A transform to fewer samples would mix samples from outside into the image. So the samples of
/// these few blocks are made from all 64 coefficients.
struct EdgeBlocks {
    struct Plane {
        let scale: Int
        let horizontal: Int
        let vertical: Int
        /// The number of blocks, across and down, that contain samples of the image.
        let blocks: PixelSize
        fileprivate let whole: SampleMatrix
        /// The matrix that turns coefficients into samples along the horizontal axis, in the last column of blocks. Nil
        /// if that column lies wholly inside the image.
        fileprivate let across: SampleMatrix?
        /// The matrix that turns coefficients into samples along the vertical axis, in the last row of blocks. Nil if
        /// that row lies wholly inside the image.
        fileprivate let down: SampleMatrix?
    }

    /// For each component, its blocks that lie partly outside the image. Nil if none of these blocks is needed. Nil
    /// also if the component is decoded at full size, because no sample then mixes pixels from inside and outside the
    /// image.
    let planes: [Plane?]
    /// The number of minimum coded units, across and down, that contain samples of the image.
    private let units: PixelSize
    private let hasColumn: Bool
    private let hasRow: Bool

    /// - Parameter shownSize: the size of the part of the frame that belongs to the image, from the upper left corner.
    /// - Returns: nil if no block that lies partly outside the image is needed.
    init?(_ frame: JPEGFrame, shownSize: PixelSize, scales: PlaneScales, needed: NeededUnits) {
        units = frame.units(of: shownSize)
        let needsColumn = needed.columns.contains(units.width - 1)
        let needsRow = needed.rows.contains(units.height - 1)
        planes = zip(frame.components, scales.planes).map { component, plane in
            let shown = frame.size(of: component, in: shownSize)
            let (width, height) = (shown.width % 8, shown.height % 8)
            guard plane.scale < 8, width > 0 && needsColumn || height > 0 && needsRow else { return nil }
            return Plane(
                scale: plane.scale, horizontal: component.horizontal, vertical: component.vertical,
                blocks: PixelSize(width: (shown.width + 7) / 8, height: (shown.height + 7) / 8),
                whole: SampleMatrix(scale: plane.scale),
                across: width > 0 ? SampleMatrix(scale: plane.scale, pictureCount: width) : nil,
                down: height > 0 ? SampleMatrix(scale: plane.scale, pictureCount: height) : nil)
        }
        hasColumn = needsColumn && planes.contains { $0?.across != nil }
        hasRow = needsRow && planes.contains { $0?.down != nil }
        guard hasColumn || hasRow else { return nil }
    }

    /// Whether some of the needed chroma blocks lie partly outside the image. If so, refinements of chroma (scans with
    /// low bits of coefficients) may be read for the sake of these blocks.
    static func hasPartialChroma(_ frame: JPEGFrame, shownSize: PixelSize, needed: NeededUnits) -> Bool {
        let units = frame.units(of: shownSize)
        let needsColumn = needed.columns.contains(units.width - 1)
        let needsRow = needed.rows.contains(units.height - 1)
        return frame.components.dropFirst().contains { component in
            let shown = frame.size(of: component, in: shownSize)
            return needsColumn && shown.width % 8 > 0 || needsRow && shown.height % 8 > 0
        }
    }

    /// Returns the column of the first minimum coded unit, in a given row of units, that contains edge blocks. Edge
    /// blocks lie partly outside the image. Units to the right of this column lie wholly outside it. If there is
    /// no such unit, returns the number of columns that are shown.
    func firstColumn(inRow row: Int) -> Int {
        if hasRow, row == units.height - 1 { return 0 }
        return hasColumn ? units.width - 1 : units.width
    }

    /// Makes the samples of a minimum coded unit's edge blocks, which are the blocks that lie partly outside the image.
    ///
    /// - Parameters:
    ///   - coefficients: a function that writes a block's 64 coefficients in natural order, multiplied by their
    ///     quantisation steps.
    ///   - samples: a function that returns a pointer to the first sample in a row of a component's blocks (`target`).
    ///     It also returns the distance from one row of samples to the next (`pitch`).
    func makeSamples(
        row: Int, column: Int,
        coefficients: (_ component: Int, _ line: Int, _ block: Int, UnsafeMutablePointer<Float>) -> Void,
        into samples: (_ component: Int, _ line: Int) -> (target: UnsafeMutablePointer<PlaneSample>, pitch: Int)
    ) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 64) { room in
            room.initialize(repeating: 0)
            for (index, plane) in planes.enumerated() {
                guard let plane else { continue }
                for line in 0..<plane.vertical where row * plane.vertical + line < plane.blocks.height {
                    for block in 0..<plane.horizontal where column * plane.horizontal + block < plane.blocks.width {
                        let x = column * plane.horizontal + block
                        let across = x == plane.blocks.width - 1 ? plane.across : nil
                        let down = row * plane.vertical + line == plane.blocks.height - 1 ? plane.down : nil
                        guard across != nil || down != nil else { continue }
                        coefficients(index, line, block, room.baseAddress!)
                        let (target, pitch) = samples(index, line)
                        SampleMatrix.transform(
                            room.baseAddress!, across: across ?? plane.whole, down: down ?? plane.whole,
                            into: target + x * plane.scale, pitch: pitch)
                    }
                }
            }
        }
    }
}
