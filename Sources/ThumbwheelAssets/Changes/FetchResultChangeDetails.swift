import Foundation

/// The differences between an earlier fetch result (*before*) and a later one (*after*).
///
/// To turn *before* into *after*, do these steps in this order:
///
/// - Remove the objects at `removedIndexes`.
/// - Insert `insertedObjects` so that they are then at `insertedIndexes`.
/// - Apply each of `moves` in order.
///
/// See <doc:Semantics#Change-details>.
public struct FetchResultChangeDetails<Element: Sendable>: Sendable {
    /// The earlier result, for which the changes were requested.
    public let fetchResultBeforeChanges: FetchResult<Element>
    /// The result of the same fetch after the changes. Use it to request the next changes.
    public let fetchResultAfterChanges: FetchResult<Element>
    /// Whether the differences are described item by item. It is false if too much changed, or if the options of the
    /// fetch did not request such a description. All indexes are then nil, and the whole result has to be displayed
    /// again.
    public let hasIncrementalChanges: Bool
    /// The positions, in the result before the changes, of the objects that were removed.
    public let removedIndexes: IndexSet?
    /// The positions of the added objects in the result after the changes. Insert the objects at these positions after
    /// the removals, the lowest position first. The moves that follow may shift an inserted object for a while, but
    /// bring it back to its position in the end.
    public let insertedIndexes: IndexSet?
    /// The positions, in the result after the changes, of the objects that are in both results and have changed.
    public let changedIndexes: IndexSet?
    /// The moves that remain after the removals and insertions, to be applied one by one in order. Each removes the
    /// element at `from` and inserts it at `to`.
    public let moves: [Move]

    /// A move of one element.
    public struct Move: Sendable, Hashable {
        /// The position from which the element is removed.
        public let from: Int
        /// The position at which the element is inserted, counted in the list without the element.
        public let to: Int
    }

    /// Whether the order of elements that are in both results has changed.
    public var hasMoves: Bool { !moves.isEmpty }

    /// Calls `body` with both positions of each move, in order.
    public func enumerateMoves(_ body: (Int, Int) -> Void) {
        for move in moves { body(move.from, move.to) }
    }

    /// The removed elements, in their earlier state.
    public var removedObjects: [Element] { removedIndexes.map { fetchResultBeforeChanges.objects(at: $0) } ?? [] }

    /// The inserted elements, in their later state.
    public var insertedObjects: [Element] { insertedIndexes.map { fetchResultAfterChanges.objects(at: $0) } ?? [] }

    /// The changed elements, in their later state.
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
