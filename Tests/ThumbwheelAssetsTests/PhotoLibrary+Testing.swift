import Dispatch
import Testing

@testable import ThumbwheelAssets

extension PhotoLibrary {
    /// Runs one transaction and returns the change that it made.
    func changeMade(_ body: (inout LibraryTransaction) throws -> Void) throws -> LibraryChange {
        let before = snapshot
        try performChangesAndWait(body)
        return LibraryChange(before: before, after: snapshot, library: core.identity)
    }

    /// The same fetch again.
    func fetchAssets(like result: FetchResult<Asset>) -> FetchResult<Asset> {
        guard case .rows(let rows, _) = result.storage else { return result }
        return fetch(rows.query)
    }
}
