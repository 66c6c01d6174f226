import ThumbwheelCore

/// Copies a part of the decoded image to the output without resampling.
final class RowCopier: RowConsumer {
    let neededRows: Range<Int>
    var neededColumns: Range<Int> { skippedColumns..<skippedColumns + store.size.width }
    private let store: OrientedStore
    private let channels: Int
    private let skippedColumns: Int
    private var nextRow = 0
    private var line: [UInt8]

    init(_ plan: ResamplingPlan, store: OrientedStore) {
        let left = Int(plan.box.x)
        let top = Int(plan.box.y)
        precondition(
            left >= 0 && top >= 0 && left + plan.outputSize.width <= plan.decodedSize.width
                && top + plan.outputSize.height <= plan.decodedSize.height, "a copy of what is not there")
        self.store = store
        channels = plan.channels
        skippedColumns = left
        neededRows = top..<top + plan.outputSize.height
        line = Array(repeating: 255, count: plan.outputSize.width * plan.format.bytesPerPixel)
    }

    func consume(_ row: UnsafePointer<UInt8>) {
        let source = row + skippedColumns * channels
        if channels >= 3 {
            store.put(row: source, at: nextRow)
        } else {
            line.withUnsafeMutableBufferPointer { line in
                let bytes = store.format.bytesPerPixel
                for x in 0..<store.size.width {
                    let grey = source[x * channels]
                    line[x * bytes] = grey
                    line[x * bytes + 1] = grey
                    line[x * bytes + 2] = grey
                    if channels == 2 { line[x * bytes + 3] = source[x * 2 + 1] }
                }
                store.put(row: line.baseAddress!, at: nextRow)
            }
        }
        nextRow += 1
    }
}
