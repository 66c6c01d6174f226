import ThumbwheelCore

/// Takes the rows of a preview, passes on the picture without the black bars around it, and checks that the bars are
/// black.
///
/// Pixels at the picture's edge that may be a mixture with a bar are replaced by their inner neighbours; otherwise the
/// resampled picture would be dark along its edge.
final class PreviewRows: RowConsumer {
    /// The largest mean of the samples, from 0 to 255, of a row or column that counts as black. It is not 0, because
    /// coding leaves some noise.
    private static let darkest = 24

    let neededRows: Range<Int>
    private let frame: PreviewFrame
    private let channels: Int
    private let consumer: any RowConsumer
    private let height: Int
    private var nextRow: Int
    // The sums of the samples in each column of the bars at the left and right.
    private var columnSums: [Int]
    private var rowsAreBlack = true
    /// The number of rows at the picture's upper edge that are held back, because they may show some of the black bar
    /// above the picture. In place of each of these rows, a copy of the first row without any bar is passed on later.
    private var waitingCount = 0
    private var line: [UInt8] = []

    /// - Parameters:
    ///   - decodedSize: the size of the decoded preview in pixels, including its black bars.
    ///   - consumer: receives the rows of the picture without the bars. This picture has the size `frame.pixelSize`.
    init(_ frame: PreviewFrame, decodedSize: PixelSize, channels: Int, consumer: any RowConsumer) {
        self.frame = frame
        self.channels = channels
        self.consumer = consumer
        height = decodedSize.height
        let first = frame.vertical.pixels.lowerBound
        neededRows =
            frame.hasBars
            ? 0..<height : consumer.neededRows.lowerBound + first..<consumer.neededRows.upperBound + first
        nextRow = neededRows.lowerBound
        columnSums = Array(repeating: 0, count: 2 * frame.horizontal.barCount)
    }

    /// Whether the bars around the picture were black, if the preview has any. A preview with other bars is not used.
    /// The answer is valid only after all rows have been consumed.
    var barsAreBlack: Bool {
        rowsAreBlack && columnSums.allSatisfy { $0 <= Self.darkest * height * channels }
    }

    func consume(_ row: UnsafePointer<UInt8>) {
        let index = nextRow
        nextRow += 1
        guard frame.hasBars else { return consumer.consume(row) }
        let vertical = frame.vertical
        let isInBar = index < vertical.barCount || index >= height - vertical.barCount
        if isInBar, !isBlack(row) { rowsAreBlack = false }
        addColumns(row)
        guard vertical.pixels.contains(index) else { return }
        let place = index - vertical.pixels.lowerBound
        let fromEnd = vertical.pixels.upperBound - 1 - index
        if place < vertical.doubtfulCount, place < vertical.mixedCount || isBlack(row) {
            waitingCount += 1
        } else if fromEnd < vertical.doubtfulCount, fromEnd < vertical.mixedCount || isBlack(row), !line.isEmpty {
            handOn(place)
        } else {
            keep(row)
            for earlier in place - waitingCount...place { handOn(earlier) }
            waitingCount = 0
        }
    }

    private func isBlack(_ row: UnsafePointer<UInt8>) -> Bool {
        let columns = frame.horizontal.pixels
        let samples = UnsafeBufferPointer(start: row + columns.lowerBound * channels, count: columns.count * channels)
        return samples.reduce(0) { $0 + Int($1) } <= Self.darkest * samples.count
    }

    private func addColumns(_ row: UnsafePointer<UInt8>) {
        let count = frame.horizontal.barCount
        let width = frame.horizontal.pixels.lowerBound + frame.horizontal.pixels.upperBound
        for column in 0..<count {
            for channel in 0..<channels {
                columnSums[column] += Int(row[column * channels + channel])
                columnSums[count + column] += Int(row[(width - 1 - column) * channels + channel])
            }
        }
    }

    /// Copies the picture's pixels of a row to `line`, without the black bars at both ends. Pixels at the picture's
    /// ends that may be a mixture with a bar are replaced by their inner neighbours.
    private func keep(_ row: UnsafePointer<UInt8>) {
        let columns = frame.horizontal.pixels
        line.replaceSubrange(
            0..<line.count,
            with: UnsafeBufferPointer(start: row + columns.lowerBound * channels, count: columns.count * channels))
        // Replaces the pixels at both ends of the row that may show a black bar, by the nearest pixel inside that shows
        // only the picture:
        // - At a reduced scale, `mixedCount` pixels may be mixed with the bar.
        // - At full size, one pixel may be wholly black. The end of the picture is computed from the photograph's
        //   aspect ratio, so it may lie inside a pixel, but a camera draws a bar of whole pixels.
        let isFraction = frame.horizontal.picture.lowerBound != frame.horizontal.picture.lowerBound.rounded()
        let count = max(frame.horizontal.mixedCount, isFraction ? 1 : 0)
        guard 2 * count < columns.count else { return }
        for column in 0..<count {
            for channel in 0..<channels {
                line[column * channels + channel] = line[count * channels + channel]
                let last = columns.count - 1
                line[(last - column) * channels + channel] = line[(last - count) * channels + channel]
            }
        }
    }

    private func handOn(_ place: Int) {
        guard consumer.neededRows.contains(place) else { return }
        line.withUnsafeBufferPointer { consumer.consume($0.baseAddress!) }
    }
}
