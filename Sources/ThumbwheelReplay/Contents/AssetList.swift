import ThumbwheelGrid

/// The items of a replayed grid, from the top, as numbers of assets. Assets can arrive, change, move and leave.
///
/// The list is stored as stretches of consecutive numbers, so that ten million assets take no more memory than the edits made
/// to them.
public struct AssetList: Sendable, Equatable {
    private var stretches: [Range<Int>]
    /// The number of items up to the end of each stretch.
    private var ends: [Int]
    private var versions: [Int: UInt32] = [:]

    /// Makes a list of all assets from number 0 up to, but not including, `count`.
    public init(count: Int) {
        stretches = count > 0 ? [0..<count] : []
        ends = count > 0 ? [count] : []
    }

    /// The number of items.
    public var count: Int { ends.last ?? 0 }

    /// The asset that an item shows, in its present state.
    ///
    /// - Complexity: logarithmic in the number of edits.
    public subscript(item: Int) -> AssetState {
        let index = stretch(ofItem: item)
        let number = stretches[index].upperBound - (ends[index] - item)
        return state(ofAsset: number)
    }

    /// Returns an asset in its present state, whether the list shows it or not.
    func state(ofAsset number: Int) -> AssetState { AssetState(number: number, version: versions[number] ?? 0) }

    /// Whether the list shows an asset.
    ///
    /// - Complexity: linear in the number of edits.
    func contains(_ number: Int) -> Bool { stretches.contains { $0.contains(number) } }

    /// The places of all assets that the list shows.
    var places: AssetPlaces {
        let order = stretches.indices.sorted { stretches[$0].lowerBound < stretches[$1].lowerBound }
        return AssetPlaces(
            stretches: order.map { stretches[$0] }, items: order.map { ends[$0] - stretches[$0].count },
            versions: versions)
    }

    mutating func insert(_ number: Int, at item: Int) {
        let index = split(at: item)
        stretches.insert(number..<number + 1, at: index)
        ends.insert(item, at: index)
        for later in index..<ends.count { ends[later] += 1 }
    }

    /// Removes an item, so that the items below it move up.
    ///
    /// - Returns: the number of the asset that the item showed.
    @discardableResult
    mutating func remove(at item: Int) -> Int {
        _ = split(at: item + 1)
        let index = split(at: item)
        let number = stretches.remove(at: index).lowerBound
        ends.remove(at: index)
        for later in index..<ends.count { ends[later] -= 1 }
        return number
    }

    mutating func change(at item: Int) {
        versions[self[item].number, default: 0] += 1
    }

    /// Makes the list show a range of all assets, in their present states.
    mutating func show(_ numbers: Range<Int>) {
        stretches = numbers.isEmpty ? [] : [numbers]
        ends = numbers.isEmpty ? [] : [numbers.count]
    }

    /// Makes the list show the same items as another list, in their present states.
    mutating func showItems(of other: AssetList) {
        stretches = other.stretches
        ends = other.ends
    }

    private func stretch(ofItem item: Int) -> Int {
        precondition(item >= 0 && item < count, "no item \(item) among \(count)")
        return ends.partitionIndex { $0 > item }
    }

    /// Splits a stretch, if necessary, so that a stretch begins at `item`.
    ///
    /// - Returns: the index of the stretch that begins at `item`.
    private mutating func split(at item: Int) -> Int {
        guard item < count else { return stretches.count }
        let index = stretch(ofItem: item)
        let start = ends[index] - stretches[index].count
        guard item > start else { return index }
        let whole = stretches[index]
        let middle = whole.lowerBound + (item - start)
        stretches[index] = whole.lowerBound..<middle
        stretches.insert(middle..<whole.upperBound, at: index + 1)
        ends.insert(item, at: index)
        return index + 1
    }
}
