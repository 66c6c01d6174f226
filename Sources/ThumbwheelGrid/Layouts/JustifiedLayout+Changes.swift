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

    /// Follows a change of the library; the result equals a layout made anew. Details without single changes are laid out
    /// anew from the first item that differs.
    ///
    /// - Precondition: The layout is of the result before the change.
    /// - Complexity: O(*n*) for copying four bytes an item; only assets that were inserted or changed are looked at.
    public mutating func update(with details: FetchResultChangeDetails<Asset>) {
        precondition(details.fetchResultBeforeChanges.count == itemCount, "a change of other contents")
        let after = details.fetchResultAfterChanges
        func ratio(_ asset: Asset) -> Float { Self.ratio(Self.aspectRatio(of: asset), along: axis) }
        guard details.hasIncrementalChanges else { return setRatios(after.map(ratio)) }
        setRatios(details.carryOver(ratios, making: ratio))
    }

    /// Puts items with other aspect ratios in the place of some; the result equals a layout made anew.
    ///
    /// - Returns: The number of lines that were laid out anew. The lines that follow only move.
    /// - Complexity: O(*m* + *l*), where *m* is the number of items in the lines laid out anew and *l* that of the lines that
    ///   move. Lines are laid out anew until one begins with the same item as before; among items of one aspect ratio that
    ///   may be never.
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

    /// Lays out the lines that a change of the ratios may have changed.
    ///
    /// - Parameters:
    ///   - first: the number of items at the start that are as they were.
    ///   - last: the number of items at the end that are as they were, the first ones aside.
    ///   - oldCount: the number of items before the change.
    /// - Returns: the number of lines that were laid out.
    @discardableResult
    mutating func layOut(keepingFirst first: Int, last: Int, of oldCount: Int) -> Int {
        let shift = ratios.count - oldCount
        // Where a line ends depends on the first item of the next line, too. So the line of the last unchanged item is laid
        // out again.
        let firstLine = lines.count > 0 ? lines.line(of: max(0, first - 1)) : 0
        var item = lines.count > 0 ? lines.firstItem(of: firstLine) : 0
        var rest = max(firstLine, lines.partitionIndex { lines.firstItem(of: $0) >= oldCount - last })
        var made = JustifiedLines()
        var isFull = false
        let (breadth, gap) = (breadth, gapInLine)
        while item < ratios.count {
            while rest < lines.count, lines.firstItem(of: rest) + shift < item { rest += 1 }
            // From a line's first item on, its lines depend on nothing that comes before.
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

    /// Returns the end of the line that begins with an item. A line is closed with the item that would make it too broad at the
    /// target length, or before that item, whichever leaves its length closer to the target.
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
