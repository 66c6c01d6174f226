/// The items of a replayed grid, from the top: assets by number, some of which arrive, change, move and leave.
///
/// Kept as stretches of consecutive numbers: ten million assets take no more room than the edits made to them.
public struct AssetList: Sendable, Equatable {
    private var stretches: [Range<Int>]
    /// Where each stretch ends, counted in items.
    private var ends: [Int]
    private var versions: [Int: UInt32] = [:]

    /// Assets 0 to `count`.
    public init(count: Int) {
        stretches = count > 0 ? [0..<count] : []
        ends = count > 0 ? [count] : []
    }

    /// The number of items.
    public var count: Int { ends.last ?? 0 }

    /// - Complexity: logarithmic in the number of edits.
    public subscript(item: Int) -> AssetState {
        let index = stretch(ofItem: item)
        let number = stretches[index].upperBound - (ends[index] - item)
        return state(ofAsset: number)
    }

    /// An asset as it is by now, shown or not.
    func state(ofAsset number: Int) -> AssetState { AssetState(number: number, version: versions[number] ?? 0) }

    /// - Complexity: linear in the number of edits.
    func contains(_ number: Int) -> Bool { stretches.contains { $0.contains(number) } }

    /// Where each asset is.
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

    /// - Returns: the asset that has left.
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

    /// Shows a part of all assets, as they are by now.
    mutating func show(_ numbers: Range<Int>) {
        stretches = numbers.isEmpty ? [] : [numbers]
        ends = numbers.isEmpty ? [] : [numbers.count]
    }

    /// Shows what another list does, as it is by now.
    mutating func showItems(of other: AssetList) {
        stretches = other.stretches
        ends = other.ends
    }

    private func stretch(ofItem item: Int) -> Int {
        precondition(item >= 0 && item < count, "no item \(item) among \(count)")
        return ends.partitionIndex { $0 > item }
    }

    /// - Returns: the stretch that begins at an item.
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
