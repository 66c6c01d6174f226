import Foundation

/// How a result differs from an earlier one (rows 92 to 98).
///
/// Starting with *before*, taking out `removedIndexes`, putting in `insertedObjects` so that they end up at
/// `insertedIndexes`, then doing each of `moves` in order, gives *after*.
public struct FetchResultChangeDetails<Element: Sendable>: Sendable {
    public let fetchResultBeforeChanges: FetchResult<Element>
    public let fetchResultAfterChanges: FetchResult<Element>
    /// False where too much changed to be told item by item, or the fetch did not want it: all indexes are nil then, and the
    /// result is to be loaded anew (row 92).
    public let hasIncrementalChanges: Bool
    /// Positions in *before* (row 93).
    public let removedIndexes: IndexSet?
    /// Positions in *after*, and in *before* after the removals, as `insertAssets(_:at:)` counts them (row 94).
    public let insertedIndexes: IndexSet?
    /// Positions in *after* of objects that are in both and are not what they were (the decision on row 95).
    public let changedIndexes: IndexSet?
    /// To be done one by one, in order: take out at the first index, put in at the second (the decision on row 96).
    public let moves: [Move]

    public struct Move: Sendable, Hashable {
        public let from: Int
        public let to: Int
    }

    public var hasMoves: Bool { !moves.isEmpty }

    public func enumerateMoves(_ body: (Int, Int) -> Void) {
        for move in moves { body(move.from, move.to) }
    }

    public var removedObjects: [Element] { removedIndexes.map { fetchResultBeforeChanges.objects(at: $0) } ?? [] }

    public var insertedObjects: [Element] { insertedIndexes.map { fetchResultAfterChanges.objects(at: $0) } ?? [] }

    public var changedObjects: [Element] { changedIndexes.map { fetchResultAfterChanges.objects(at: $0) } ?? [] }

    init(
        _ before: FetchResult<Element>, _ after: FetchResult<Element>, _ difference: ListDifference?
    ) {
        fetchResultBeforeChanges = before
        fetchResultAfterChanges = after
        hasIncrementalChanges = difference != nil
        removedIndexes = difference?.removed
        insertedIndexes = difference?.inserted
        changedIndexes = difference?.changed
        moves = difference?.moves.map { Move(from: $0.from, to: $0.to) } ?? []
    }
}

extension FetchResultChangeDetails where Element: Hashable {
    /// The differences of any two results (row 98).
    ///
    /// - Parameter changedObjects: which of the objects that are in both are not what they were.
    public init(
        from before: FetchResult<Element>, to after: FetchResult<Element>, changedObjects: some Sequence<Element>
    ) {
        let changed = Set(changedObjects)
        self.init(
            before, after, ListDifference(from: Array(before), to: Array(after)) { changed.contains($0) })
    }
}
