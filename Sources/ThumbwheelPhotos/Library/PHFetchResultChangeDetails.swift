import Foundation
import Thumbwheel

/// The change of a fetch result, index by index: removals first, then insertions, then moves one after the other; changed
/// indexes are those after all of these.
///
/// Unchecked sendability: the details have constants only.
public final class PHFetchResultChangeDetails<ObjectType: PHObject>: NSObject, @unchecked Sendable {
    /// The result as it was.
    public let fetchResultBeforeChanges: PHFetchResult<ObjectType>
    /// The result as it is.
    public let fetchResultAfterChanges: PHFetchResult<ObjectType>
    /// Whether the change is told index by index; otherwise a view shows the new result from the beginning.
    public let hasIncrementalChanges: Bool
    /// The indexes of objects that are gone, in the result as it was.
    public let removedIndexes: IndexSet?
    /// The indexes of objects that are new, in the result as it is.
    public let insertedIndexes: IndexSet?
    /// The indexes of objects that have changed, in the result as it is.
    public let changedIndexes: IndexSet?
    private let moves: [(from: Int, to: Int)]

    convenience init<Value>(
        _ before: PHFetchResult<ObjectType>, _ details: FetchResultChangeDetails<Value>,
        _ wrap: (FetchResult<Value>) -> PHFetchContents
    ) {
        self.init(before, PHFetchResult(wrap(details.fetchResultAfterChanges)), details)
    }

    private init<Value>(
        _ before: PHFetchResult<ObjectType>, _ after: PHFetchResult<ObjectType>,
        _ details: FetchResultChangeDetails<Value>
    ) {
        fetchResultBeforeChanges = before
        fetchResultAfterChanges = after
        hasIncrementalChanges = details.hasIncrementalChanges
        removedIndexes = details.removedIndexes
        insertedIndexes = details.insertedIndexes
        changedIndexes = details.changedIndexes
        moves = details.moves.map { ($0.from, $0.to) }
    }

    /// Finds the differences between any two results.
    ///
    /// - Parameters:
    ///   - before: the earlier result.
    ///   - after: the later result.
    ///   - changedObjects: the objects that are in both results and have changed.
    public convenience init(
        from before: PHFetchResult<ObjectType>, to after: PHFetchResult<ObjectType>, changedObjects: [ObjectType]
    ) {
        let details = FetchResultChangeDetails(
            from: FetchResult(before.contents.identities), to: FetchResult(after.contents.identities),
            changedObjects: changedObjects.map(\.identity))
        self.init(before, after, details)
    }

    /// The objects that are gone.
    public var removedObjects: [ObjectType] { removedIndexes.map { fetchResultBeforeChanges.objects(at: $0) } ?? [] }
    /// The objects that are new.
    public var insertedObjects: [ObjectType] { insertedIndexes.map { fetchResultAfterChanges.objects(at: $0) } ?? [] }
    /// The objects that have changed.
    public var changedObjects: [ObjectType] { changedIndexes.map { fetchResultAfterChanges.objects(at: $0) } ?? [] }
    /// Whether objects have changed their order.
    public var hasMoves: Bool { !moves.isEmpty }

    /// Calls `body` with each move, in order.
    public func enumerateMoves(_ body: (Int, Int) -> Void) {
        for move in moves { body(move.from, move.to) }
    }
}
