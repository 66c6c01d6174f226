import Thumbwheel

extension SectionedLayout {
    /// Lays out assets in sections. Consecutive assets with equal keys, such as the day on which they were taken, form
    /// a section.
    ///
    /// - Parameters:
    ///   - assets: The assets, in the order in which the view shows them.
    ///   - headerLength: The length of each header along the axis, in pixels.
    ///   - axis: The direction of scrolling.
    ///   - viewport: The size of the visible rectangle in pixels.
    ///   - key: Returns the key of an asset.
    ///   - section: Lays out the assets of one section.
    /// - Complexity: O(*n*), where *n* is the number of assets, each of which is looked at.
    public init<Key: Equatable>(
        _ assets: FetchResult<Asset>, headerLength: Double, axis: ScrollAxis = .vertical, viewport: PixelSize,
        by key: (Asset) -> Key, section: (FetchResult<Asset>.SubSequence) -> Section
    ) {
        let runs = Self.runs(assets.indices.map { SectionPart(items: $0..<$0 + 1) }, of: assets, by: key)
        self.init(
            runs.map { section(assets[$0.items]) }, headerLength: headerLength, axis: axis, viewport: viewport)
    }

    /// Follows a change of the library. The result equals a new layout with the same key. A section is kept if none of
    /// its assets was inserted, removed, moved or changed.
    ///
    /// - Parameters:
    ///   - details: The change of the result that the layout shows.
    ///   - key: Returns the key of an asset.
    ///   - section: Lays out the assets of one section.
    /// - Returns: The number of sections that were laid out again.
    /// - Precondition: The layout is that of the result before the change, made with the same key.
    /// - Complexity: O(*n*) for a pass over four bytes per item. One asset of each kept section is looked at, and at
    ///   most all assets of each other section.
    @discardableResult
    public mutating func update<Key: Equatable>(
        with details: FetchResultChangeDetails<Asset>, by key: (Asset) -> Key,
        section: (FetchResult<Asset>.SubSequence) -> Section
    ) -> Int {
        precondition(details.fetchResultBeforeChanges.count == itemCount, "a change of other contents")
        let after = details.fetchResultAfterChanges
        let parts =
            details.hasIncrementalChanges
            ? parts(details.carryOver((0..<itemCount).map(Int32.init)) { _ in -1 })
            : after.indices.map { SectionPart(items: $0..<$0 + 1) }
        let runs = Self.runs(parts, of: after, by: key)
        let first = zip(runs, sections.indices).prefix { $0.section == $1 }.count
        let most = min(runs.count, sections.count) - first
        let last = zip(runs.reversed(), sections.indices.reversed()).prefix(most).prefix { $0.section == $1 }.count
        var madeCount = 0
        let replacement = runs[first..<runs.count - last].map { run in
            if let kept = run.section { return sections[kept] }
            madeCount += 1
            return section(after[run.items])
        }
        replaceSections(first..<sections.count - last, with: replacement)
        return madeCount
    }

    /// Divides a result into parts whose items were consecutive in one section before.
    ///
    /// - Parameter origins: each item's number before the change; negative for an item that is new or has changed.
    private func parts(_ origins: [Int32]) -> [SectionPart] {
        var parts: [SectionPart] = []
        var start = 0
        while start < origins.count {
            var part = SectionPart(items: start..<start + 1)
            if origins[start] >= 0 {
                let origin = Int(origins[start])
                let items = itemsOfSection(with: origin)
                let longest = min(items.range.upperBound - origin, origins.count - start)
                var length = 1
                while length < longest, Int(origins[start + length]) == origin + length { length += 1 }
                part = SectionPart(
                    items: start..<start + length,
                    section: items.range == origin..<origin + length ? items.section : nil)
            }
            parts.append(part)
            start = part.items.upperBound
        }
        return parts
    }

    /// Joins consecutive parts with equal keys.
    private static func runs<Key: Equatable>(
        _ parts: [SectionPart], of assets: FetchResult<Asset>, by key: (Asset) -> Key
    ) -> [SectionPart] {
        var runs: [SectionPart] = []
        var former: Key?
        for part in parts {
            let key = key(assets[part.items.lowerBound])
            if let last = runs.last, key == former {
                runs[runs.count - 1] = SectionPart(items: last.items.lowerBound..<part.items.upperBound)
            } else {
                runs.append(part)
            }
            former = key
        }
        return runs
    }
}

/// Consecutive items of a result that belong to one section.
private struct SectionPart {
    var items: Range<Int>
    /// The section of the former layout that consists of exactly these items; nil if there is none.
    var section: Int?
}
