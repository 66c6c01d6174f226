import Foundation

/// The differences between a result and an earlier one.
///
/// To get from *before* to *after*, remove `removedIndexes`, insert `insertedObjects` so that they end up at
/// `insertedIndexes`, then do each of `moves` in order. See <doc:Semantics#Change-details>.
public struct FetchResultChangeDetails<Element: Sendable>: Sendable {
    /// The result whose changes were asked for.
    public let fetchResultBeforeChanges: FetchResult<Element>
    /// The result of the same fetch after the changes; ask for the next changes of this result.
    public let fetchResultAfterChanges: FetchResult<Element>
    /// Whether the changes are described item by item. False if too much changed, or if the fetch did not ask for them;
    /// all indexes are then nil, and the result is to be loaded anew.
    public let hasIncrementalChanges: Bool
    /// Positions, in *before*, of the objects that were removed.
    public let removedIndexes: IndexSet?
    /// Positions, in *after*, of the objects that were added. They are also positions in *before* once the removals are
    /// done, as `insertAssets(_:at:)` counts them.
    public let insertedIndexes: IndexSet?
    /// Positions, in *after*, of objects that are in both results and have changed.
    public let changedIndexes: IndexSet?
    /// The moves, to be applied one by one in order: each removes the element at `from` and inserts it at `to`.
    public let moves: [Move]

    /// A move of one element.
    public struct Move: Sendable, Hashable {
        /// The position at which the element is taken out.
        public let from: Int
        /// The position at which the element is put in, counted after it was taken out.
        public let to: Int
    }

    /// Whether elements that are in both results have changed their order.
    public var hasMoves: Bool { !moves.isEmpty }

    /// Calls `body` with the positions of each move, in order.
    public func enumerateMoves(_ body: (Int, Int) -> Void) {
        for move in moves { body(move.from, move.to) }
    }

    /// The elements at `removedIndexes`, as they were before.
    public var removedObjects: [Element] { removedIndexes.map { fetchResultBeforeChanges.objects(at: $0) } ?? [] }

    /// The elements at `insertedIndexes`, as they are now.
    public var insertedObjects: [Element] { insertedIndexes.map { fetchResultAfterChanges.objects(at: $0) } ?? [] }

    /// The elements at `changedIndexes`, as they are now.
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
    /// Finds the differences between any two results.
    ///
    /// - Parameter changedObjects: the objects that are in both results and have changed.
    public init(
        from before: FetchResult<Element>, to after: FetchResult<Element>, changedObjects: some Sequence<Element>
    ) {
        let changed = Set(changedObjects)
        self.init(
            before, after, ListDifference(from: Array(before), to: Array(after)) { changed.contains($0) })
    }
}
