import Foundation

/// The differences between an earlier result (*before*) and a later one (*after*).
///
/// To turn *before* into *after*, first remove the objects at `removedIndexes`. Next, insert `insertedObjects` so that
/// they end up at `insertedIndexes`. Then do each of `moves` in order. See <doc:Semantics#Change-details>.
public struct FetchResultChangeDetails<Element: Sendable>: Sendable {
    /// The result whose changes were asked for.
    public let fetchResultBeforeChanges: FetchResult<Element>
    /// The result of the same fetch after the changes; ask for the next changes of this result.
    public let fetchResultAfterChanges: FetchResult<Element>
    /// Whether the differences are described item by item. False if too much changed, or if the options of the fetch
    /// did not ask for such a description. All indexes are then nil, and the result is to be loaded anew.
    public let hasIncrementalChanges: Bool
    /// Positions, in *before*, of the objects that were removed.
    public let removedIndexes: IndexSet?
    /// Positions, in *after*, of the objects that were added. Insert each object at this position, as with
    /// `insertAssets(_:at:)`. When all moves are done, it is at the same position.
    public let insertedIndexes: IndexSet?
    /// Positions, in *after*, of objects that are in both results and have changed.
    public let changedIndexes: IndexSet?
    /// The moves, to be applied one by one in order: each removes the element at `from` and inserts it at `to`.
    public let moves: [Move]

    /// A move of one element.
    public struct Move: Sendable, Hashable {
        /// The position at which the element is taken out.
        public let from: Int
        /// The position at which the element is put in. It is counted in the list from which the element has been taken
        /// out.
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
