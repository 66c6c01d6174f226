import Foundation
import ThumbwheelCore
import ThumbwheelFormats

extension PhotoLibrary {
    /// Changes the library in one transaction: all that `body` does, or, when it throws or one of its operations fails,
    /// nothing (row 70). Transactions run one at a time, on a queue of the library's own; fetches go on meanwhile and see
    /// what was before.
    @discardableResult
    public func performChanges<Value: Sendable>(
        _ body: @escaping @Sendable (inout LibraryTransaction) throws -> Value
    ) async throws -> Value {
        try await core.transact(policy, body)
    }

    /// The same, and the calling thread waits (row 71). Inside another transaction of the library it is an error.
    @available(*, noasync, message: "use performChanges")
    @discardableResult
    public func performChangesAndWait<Value>(
        _ body: (inout LibraryTransaction) throws -> Value
    ) throws -> Value {
        try core.transactAndWait(policy, body)
    }

    /// Adds assets in their order, in one transaction; those whose identifier is there already are passed over.
    ///
    /// - Returns: how many were added; none where the policy refuses, or inside another transaction.
    @discardableResult
    public func add(_ assets: some Sequence<Asset>) -> Int {
        let assets = Array(assets)
        let count = try? core.transactAndWait(policy) { transaction in
            var count = 0
            for asset in assets where transaction.draft.row(of: asset.identifier) == nil {
                let row = transaction.draft.append(asset.facts, asset.identifier)
                transaction.draft.note(asset.thumbHash, of: row)
                count += 1
            }
            return count
        }
        return count ?? 0
    }

    /// Adds a photograph that is in memory. Its identifier follows from bytes and name: adding the same again gives the
    /// asset that is there.
    ///
    /// - Parameter timeZone: where the camera's clock is taken to have been, if the bytes do not tell.
    @discardableResult
    public func addAsset(
        bytes: [UInt8], filename: String, assuming timeZone: TimeZone = .gmt
    ) throws(HeadError) -> Asset {
        var digest = NameDigest(filename + "\0")
        digest.combine(bytes)
        let asset = try Asset(
            reading: .bytes(bytes), identifier: AssetIdentifier(digest), originalFilename: filename, assuming: timeZone,
            addedDate: now())
        add([asset])
        return self.asset(withIdentifier: asset.identifier) ?? asset
    }
}
