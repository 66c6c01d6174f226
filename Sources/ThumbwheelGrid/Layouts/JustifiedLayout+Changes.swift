import Thumbwheel

extension JustifiedLayout {
    /// Lays out the pictures of assets; see ``init(aspectRatios:targetLength:spacing:insets:axis:viewport:)``.
    ///
    /// - Complexity: O(*n*), where *n* is the number of assets, each of which is looked at once.
    public init(
        _ assets: some Sequence<Asset>, targetLength: Double, spacing: LayoutSize = .zero,
        insets: LayoutInsets = .zero, axis: ScrollAxis = .vertical, viewport: PixelSize
    ) {
        self.init(
            aspectRatios: assets.lazy.map(Self.aspectRatio), targetLength: targetLength, spacing: spacing,
            insets: insets, axis: axis, viewport: viewport)
    }

    /// Follows a change of the library. The result equals a new layout of the result after the change. Details without
    /// incremental changes are laid out again from the first item that differs.
    ///
    /// - Precondition: The layout is that of the result before the change.
    /// - Complexity: O(*n*) for copying four bytes per item; only assets that were inserted or have changed are looked
    ///   at.
    public mutating func update(with details: FetchResultChangeDetails<Asset>) {
        precondition(details.fetchResultBeforeChanges.count == itemCount, "a change of other contents")
        let after = details.fetchResultAfterChanges
        func ratio(_ asset: Asset) -> Float { Self.ratio(Self.aspectRatio(of: asset), along: axis) }
        guard details.hasIncrementalChanges else { return setRatios(after.map(ratio)) }
        setRatios(details.carryOver(ratios, making: ratio))
    }

    /// Replaces items by items with other aspect ratios. The result equals a new layout of all items.
    ///
    /// - Returns: The number of lines that were laid out again. The lines after them only move.
    /// - Complexity: O(*m* + *l*), where *m* is the number of items in the lines that are laid out again, and *l* the
    ///   number of lines that move. Lines are laid out again until one begins with the same item as before. If all
    ///   items have the same ratio, that may be never.
    @discardableResult
    public mutating func replaceSubrange(_ range: Range<Int>, with aspectRatios: some Collection<Double>) -> Int {
        let (count, axis) = (itemCount, axis)
        ratios.replaceSubrange(range, with: aspectRatios.map { Self.ratio($0, along: axis) })
        return layOut(keepingFirst: range.lowerBound, last: count - range.upperBound, of: count)
    }

    private mutating func setRatios(_ ratios: [Float]) {
        let before = self.ratios
        let first = zip(before, ratios).prefix { $0 == $1 }.count
        let most = min(before.count, ratios.count) - first
        let last = zip(before.reversed(), ratios.reversed()).prefix(most).prefix { $0 == $1 }.count
        self.ratios = ratios
        layOut(keepingFirst: first, last: last, of: before.count)
    }

    /// Lays out the lines that a change of the ratios affects.
    ///
    /// - Parameters:
    ///   - first: the number of unchanged items at the start.
    ///   - last: the number of unchanged items at the end, without those counted in `first`.
    ///   - oldCount: the number of items before the change.
    /// - Returns: the number of lines that were laid out.
    @discardableResult
    mutating func layOut(keepingFirst first: Int, last: Int, of oldCount: Int) -> Int {
        let shift = ratios.count - oldCount
        // The end of a line also depends on the first item of the next line. So the line of the last unchanged item is
        // laid out again.
        let firstLine = lines.count > 0 ? lines.line(of: max(0, first - 1)) : 0
        var item = lines.count > 0 ? lines.firstItem(of: firstLine) : 0
        var rest = max(firstLine, lines.partitionIndex { lines.firstItem(of: $0) >= oldCount - last })
        var made = JustifiedLines()
        var isFull = false
        let (breadth, gap) = (breadth, gapInLine)
        while item < ratios.count {
            while rest < lines.count, lines.firstItem(of: rest) + shift < item { rest += 1 }
            // The rest of the lines is unchanged if a line begins with the same item as before, because lines do not
            // depend on earlier items.
            if rest < lines.count, lines.firstItem(of: rest) >= oldCount - last,
                lines.firstItem(of: rest) + shift == item
            {
                break
            }
            let line = nextLine(from: item, breadth: breadth, gap: gap)
            made.append(firstItem: item, length: line.length)
            item = line.end
            isFull = line.isFull
        }
        if item >= ratios.count {
            rest = lines.count
            lines.isLastFull = isFull
        }
        lines.replace(firstLine..<rest, with: made, shiftingItemsBy: shift)
        return made.count
    }

    /// Returns the line that begins with an item. If an item makes the line broader than the view at the target length,
    /// the line ends after or before that item, whichever brings its length closer to the target.
    private func nextLine(
        from first: Int, breadth: Double, gap: Double
    ) -> (end: Int, length: Int, isFull: Bool) {
        var sum = 0.0
        var room = breadth
        for item in first..<ratios.count {
            let with = sum + Double(ratios[item])
            guard with * targetLength >= room else {
                sum = with
                room -= gap
                continue
            }
            let long = sum > 0 ? (room + gap) / sum : .infinity
            let short = max(1, room / with)
            let isLong = sum > 0 && long / targetLength < targetLength / short
            return (isLong ? item : item + 1, max(1, Int((isLong ? long : short).rounded())), true)
        }
        return (ratios.count, Int(targetLength), false)
    }

    private static func aspectRatio(of asset: Asset) -> Double {
        Double(asset.pixelSize.width) / Double(asset.pixelSize.height)
    }
}
