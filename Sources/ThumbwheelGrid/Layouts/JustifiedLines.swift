/// The lines of a justified layout: where each begins, and how long it is.
struct JustifiedLines: Equatable, Sendable {
    /// The first item of each line.
    private var firstItems: [Int32] = []
    /// For each line, the sum of the lengths of all lines up to its end, in pixels, without the space between them.
    private var ends: [Int] = []
    /// Whether the last line fills the breadth of the view.
    var isLastFull = false

    var count: Int { firstItems.count }

    /// The sum of the lengths of all lines, without the space between them.
    var end: Int { ends.last ?? 0 }

    func start(of line: Int) -> Int { line > 0 ? ends[line - 1] : 0 }

    func length(of line: Int) -> Int { ends[line] - start(of: line) }

    func firstItem(of line: Int) -> Int { Int(firstItems[line]) }

    /// - Parameter itemCount: the number of all items, at which the last line ends.
    func items(of line: Int, below itemCount: Int) -> Range<Int> {
        firstItem(of: line)..<(line + 1 < count ? firstItem(of: line + 1) : itemCount)
    }

    /// Returns the line that holds an item.
    func line(of item: Int) -> Int { max(0, partitionIndex { firstItem(of: $0) > item } - 1) }

    /// Returns the first line that satisfies `predicate`; all lines after it must satisfy it too.
    func partitionIndex(where predicate: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if predicate(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Appends a line.
    mutating func append(firstItem: Int, length: Int) {
        firstItems.append(Int32(firstItem))
        ends.append(end + length)
    }

    /// Replaces lines by other lines, and moves the lines after them.
    ///
    /// - Parameter shift: the number that is added to the item numbers of the lines after them.
    mutating func replace(_ range: Range<Int>, with lines: JustifiedLines, shiftingItemsBy shift: Int) {
        let base = start(of: range.lowerBound)
        let growth = base + lines.end - start(of: range.upperBound)
        firstItems.replaceSubrange(range, with: lines.firstItems)
        ends.replaceSubrange(range, with: lines.ends.map { $0 + base })
        for line in range.lowerBound + lines.count..<count {
            firstItems[line] += Int32(shift)
            ends[line] += growth
        }
    }
}
