import Foundation

extension PhotoLibrary {
    /// Changes the library in one transaction. If `body` throws or one of its operations fails, nothing is changed.
    ///
    /// Transactions run one at a time on a queue of the library. Fetches never wait for a transaction. Until it is
    /// committed, they see the state before it. See <doc:Semantics#Transactions>.
    ///
    /// - Throws: The error of `body`, or a `ChangeError`. Nothing has changed then.
    @discardableResult
    public func performChanges<Value: Sendable>(
        _ body: @escaping @Sendable (inout LibraryTransaction) throws -> Value
    ) async throws -> Value {
        try await core.transact(policy, body)
    }

    /// Changes the library in one transaction. The calling thread waits for the transaction. A call inside another
    /// transaction of the same library is refused with an error.
    ///
    /// - Throws: The error of `body`, or a `ChangeError`. Nothing has changed then.
    @available(*, noasync, message: "use performChanges")
    @discardableResult
    public func performChangesAndWait<Value>(
        _ body: (inout LibraryTransaction) throws -> Value
    ) throws -> Value {
        try core.transactAndWait(policy, body)
    }

    /// Adds assets in the given order, in one transaction. If the library already has an asset with the same
    /// identifier, the new one is skipped.
    ///
    /// - Returns: the number of added assets; zero if the transaction is refused.
    @discardableResult
    public func add(_ assets: some Sequence<Asset> & Sendable) async -> Int {
        let assets = Array(assets)
        return (try? await core.transact(policy) { $0.addNew(assets) }) ?? 0
    }

    /// Adds assets in one transaction. The calling thread waits for the transaction.
    ///
    /// - Returns: the number of added assets; zero if the transaction is refused. Inside another transaction it is
    ///   always refused.
    @available(*, noasync, message: "await the asynchronous add(_:)")
    @discardableResult
    public func add(_ assets: some Sequence<Asset>) -> Int {
        let assets = Array(assets)
        return (try? core.transactAndWait(policy) { $0.addNew(assets) }) ?? 0
    }

    /// Adds a photograph whose bytes are in memory. The identifier is computed from its bytes and its name, so adding
    /// the same photograph again returns the existing asset.
    ///
    /// The identifier is the first half of an SHA-256 digest of the name and the bytes. Nobody can make another
    /// photograph with the same identifier. So an asset with the identifier counts as the same photograph, and its
    /// stored bytes are not compared. They may differ from the given bytes, because `update(with:)` may have replaced
    /// them.
    ///
    /// - Parameter timeZone: the time zone of the camera's clock, if the bytes do not state one.
    /// - Throws: `HeadError` if the bytes are not a photograph; `ChangeError` if the transaction is refused.
    @discardableResult
    public func addAsset(
        bytes: [UInt8], filename: String, assuming timeZone: TimeZone = .gmt
    ) async throws -> Asset {
        let asset = try newAsset(bytes, filename, timeZone)
        let identifier = try await core.transact(policy) { $0.addOnce(asset, bytes, filename) }
        return self.asset(identifier, madeAs: asset)
    }

    /// Adds a photograph whose bytes are in memory. The calling thread waits for the transaction.
    ///
    /// - Throws: `HeadError` if the bytes are not a photograph; `ChangeError` if the transaction is refused. Inside
    ///   another transaction it is always refused.
    @available(*, noasync, message: "await the asynchronous addAsset(bytes:filename:assuming:)")
    @discardableResult
    public func addAsset(
        bytes: [UInt8], filename: String, assuming timeZone: TimeZone = .gmt
    ) throws -> Asset {
        let asset = try newAsset(bytes, filename, timeZone)
        let identifier = try core.transactAndWait(policy) { $0.addOnce(asset, bytes, filename) }
        return self.asset(identifier, madeAs: asset)
    }

    private func newAsset(_ bytes: [UInt8], _ filename: String, _ timeZone: TimeZone) throws -> Asset {
        try Asset(
            reading: .bytes(bytes), identifier: AssetIdentifier(NameDigest(filename, bytes)),
            originalFilename: filename, assuming: timeZone, addedDate: now())
    }

    /// Returns the asset with this identifier in its present state in the library.
    ///
    /// - Parameter asset: the added asset as it was passed to the transaction. It is returned if the access policy
    ///   hides the asset, or if the library has it no longer.
    private func asset(_ identifier: AssetIdentifier, madeAs asset: Asset) -> Asset {
        let snapshot = snapshot
        // The caller gets the value that was passed to the transaction if the access policy hides the asset, or if
        // another transaction has deleted it by now.
        guard view.sees(identifier), let row = snapshot.row(of: identifier) else { return asset }
        return snapshot.asset(at: row)
    }
}

extension LibraryTransaction {
    /// Adds those of the assets that the library does not have.
    ///
    /// - Returns: the number of added assets.
    fileprivate func addNew(_ assets: [Asset]) -> Int {
        var count = 0
        for asset in assets where draft.row(of: asset.identifier) == nil {
            let row = draft.append(asset.facts, asset.identifier)
            draft.note(asset.thumbHash, of: row)
            count += 1
        }
        return count
    }

    /// Adds an asset that was made from bytes and a name, unless the library already has the asset.
    ///
    /// - Returns: the asset's identifier in the library.
    fileprivate func addOnce(_ asset: Asset, _ bytes: [UInt8], _ filename: String) -> AssetIdentifier {
        if draft.row(of: asset.identifier) != nil { return asset.identifier }
        var former = FNV1aDigest(filename + "\0")
        former.combine(bytes)
        // Older releases of this package made identifiers with `FNV1aDigest`. So the photograph may be in the library
        // under such an identifier. Anybody can make other bytes with the same FNV-1a digest, so the bytes and the
        // filename must be equal too.
        if let row = draft.row(of: AssetIdentifier(former)), draft.isPhotograph(row, bytes, filename) {
            return AssetIdentifier(former)
        }
        _ = draft.append(asset.facts, asset.identifier)
        return asset.identifier
    }
}

extension SnapshotDraft {
    /// Returns whether the asset in the table row `row` was made from these bytes and this name.
    fileprivate func isPhotograph(_ row: UInt32, _ bytes: [UInt8], _ filename: String) -> Bool {
        let facts = read(row) { $0.facts(at: $1) }
        return facts.originalFilename.utf8.elementsEqual(filename.utf8)
            && facts.resources.contains { $0.type == .photo && $0.source == .bytes(bytes) }
    }
}
