import Foundation

extension PhotoLibrary {
    /// Changes the library in one transaction. Either everything that `body` does takes effect or, if `body` throws or
    /// one of its operations fails, nothing does.
    ///
    /// Transactions run one at a time, on the library's own queue; meanwhile, fetches continue and see the state before
    /// the transaction. See <doc:Semantics#Transactions>.
    ///
    /// - Throws: The error of `body`, or a `ChangeError`; nothing has changed then.
    @discardableResult
    public func performChanges<Value: Sendable>(
        _ body: @escaping @Sendable (inout LibraryTransaction) throws -> Value
    ) async throws -> Value {
        try await core.transact(policy, body)
    }

    /// Changes the library in one transaction while the calling thread waits. Calling this inside another transaction of
    /// the same library is an error.
    ///
    /// - Throws: The error of `body`, or a `ChangeError`; nothing has changed then.
    @available(*, noasync, message: "use performChanges")
    @discardableResult
    public func performChangesAndWait<Value>(
        _ body: (inout LibraryTransaction) throws -> Value
    ) throws -> Value {
        try core.transactAndWait(policy, body)
    }

    /// Adds assets in their order, in one transaction; assets whose identifier the library already has are skipped.
    ///
    /// - Returns: the number of assets added; zero if the transaction is refused.
    @discardableResult
    public func add(_ assets: some Sequence<Asset> & Sendable) async -> Int {
        let assets = Array(assets)
        return (try? await core.transact(policy) { $0.addNew(assets) }) ?? 0
    }

    /// Adds assets while the calling thread waits for the transaction.
    ///
    /// - Returns: the number of assets added; zero if the transaction is refused, as it is inside another transaction.
    @available(*, noasync, message: "await the asynchronous add(_:)")
    @discardableResult
    public func add(_ assets: some Sequence<Asset>) -> Int {
        let assets = Array(assets)
        return (try? core.transactAndWait(policy) { $0.addNew(assets) }) ?? 0
    }

    /// Adds a photograph that is in memory. Its identifier is derived from its bytes and name, so adding the same
    /// photograph again returns the existing asset.
    ///
    /// The identifier is the first half of an SHA-256 digest, so nobody can make other bytes that have the identifier
    /// of a given photograph. So the identifier alone decides whether the library has the photograph. The bytes are not
    /// compared, because the asset's bytes may have changed since it was added, for instance by `update(with:)`.
    ///
    /// - Parameter timeZone: the time zone assumed for the camera's clock if the bytes do not state one.
    /// - Throws: `HeadError` for bytes that are not a photograph; `ChangeError` if the transaction is refused.
    @discardableResult
    public func addAsset(
        bytes: [UInt8], filename: String, assuming timeZone: TimeZone = .gmt
    ) async throws -> Asset {
        let asset = try newAsset(bytes, filename, timeZone)
        let identifier = try await core.transact(policy) { $0.addOnce(asset, bytes, filename) }
        return self.asset(identifier, madeAs: asset)
    }

    /// Adds a photograph that is in memory while the calling thread waits for the transaction.
    ///
    /// - Throws: `HeadError` for bytes that are not a photograph; `ChangeError` if the transaction is refused, as it is
    ///   inside another transaction.
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

    /// The added asset in its present state in the library.
    private func asset(_ identifier: AssetIdentifier, madeAs asset: Asset) -> Asset {
        let snapshot = snapshot
        // If the access policy does not show the added asset, the caller gets the value that was made to be added.
        guard view.sees(identifier), let row = snapshot.row(of: identifier) else { return asset }
        return snapshot.asset(at: row)
    }
}

extension LibraryTransaction {
    /// Adds the assets that the library does not have yet.
    ///
    /// - Returns: the number of assets added.
    fileprivate func addNew(_ assets: [Asset]) -> Int {
        var count = 0
        for asset in assets where draft.row(of: asset.identifier) == nil {
            let row = draft.append(asset.facts, asset.identifier)
            draft.note(asset.thumbHash, of: row)
            count += 1
        }
        return count
    }

    /// Adds an asset made of bytes and a name, unless the library has it already.
    ///
    /// - Returns: the asset's identifier in the library.
    fileprivate func addOnce(_ asset: Asset, _ bytes: [UInt8], _ filename: String) -> AssetIdentifier {
        if draft.row(of: asset.identifier) != nil { return asset.identifier }
        var former = FormerDigest(filename + "\0")
        former.combine(bytes)
        // Older versions of the library derived identifiers with `FormerDigest`. It is not secure: anybody can make
        // other bytes with the same identifier. So an asset found by it counts as the same only if its bytes and its
        // name match.
        if let row = draft.row(of: AssetIdentifier(former)), draft.isPhotograph(row, bytes, filename) {
            return AssetIdentifier(former)
        }
        _ = draft.append(asset.facts, asset.identifier)
        return asset.identifier
    }
}

extension SnapshotDraft {
    /// Whether the row's asset was made of these bytes and this name.
    fileprivate func isPhotograph(_ row: UInt32, _ bytes: [UInt8], _ filename: String) -> Bool {
        let facts = read(row) { $0.facts(at: $1) }
        return facts.originalFilename.utf8.elementsEqual(filename.utf8)
            && facts.resources.contains { $0.type == .photo && $0.source == .bytes(bytes) }
    }
}
