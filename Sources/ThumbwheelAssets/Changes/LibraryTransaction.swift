import Foundation

/// An open transaction. Every change to a library is made by its methods, and nobody sees the changes before the
/// commit.
///
/// If a method throws, the method has changed nothing. The transaction is then not committed, even if the caller
/// catches the error. A transaction cannot be copied, so a function that receives it as `inout` cannot keep it.
public struct LibraryTransaction: ~Copyable {
    let draft: SnapshotDraft
    let access: LibraryAccess
    /// The time of the transaction. It becomes the modification date of every object that the transaction changes.
    let date: Date
    let files = FileMoves()

    init(_ draft: SnapshotDraft, _ access: LibraryAccess, _ date: Date) {
        self.draft = draft
        self.access = access
        self.date = date
    }

    /// Runs one operation. If the operation throws, the error is stored, so that the transaction is not committed, even
    /// if the caller catches the error.
    mutating func attempt<Value>(
        _ body: (inout LibraryTransaction) throws(ChangeError) -> Value
    ) throws(ChangeError) -> Value {
        do throws(ChangeError) {
            // Throws an error if the transaction's closure has already ended. This can happen if a transaction of one
            // library runs inside a transaction of another library, and the inner closure swaps the two
            // `LibraryTransaction` values. The inner transaction then outlives its closure, and would write to a
            // snapshot that is already published.
            guard draft.isOpen else { throw ChangeError(.transactionEnded) }
            return try body(&self)
        } catch {
            draft.refuse(error)
            throw error
        }
    }

    /// Stores an error that a caller outside this module has found, so that the transaction is not committed. Returns
    /// the error.
    package mutating func refuse(_ error: ChangeError) -> ChangeError {
        draft.refuse(error)
        return error
    }

    /// Returns the row number of an asset. Throws if the asset is unknown or this transaction may not change it.
    func row(of asset: some AssetReference) throws(ChangeError) -> UInt32 {
        let identifier = asset.identifier
        return try changeable(draft.row(of: identifier), identifier)
    }

    /// Returns the row numbers of several assets. Throws an error with a reason for each refused asset.
    func rows(
        of assets: some Sequence<some AssetReference>,
        refusing reason: (AssetIdentifier, UInt32) -> ChangeError.Reason? = { _, _ in nil }
    ) throws(ChangeError) -> [(identifier: AssetIdentifier, row: UInt32)] {
        let identifiers = assets.map(\.identifier)
        var found: [(identifier: AssetIdentifier, row: UInt32)] = []
        found.reserveCapacity(identifiers.count)
        var reasons: [ChangeError.Reason] = []
        for (identifier, row) in zip(identifiers, draft.rows(of: identifiers)) {
            do throws(ChangeError) {
                let row = try changeable(row, identifier)
                if let reason = reason(identifier, row) { throw ChangeError(reason) }
                found.append((identifier, row))
            } catch {
                reasons += error.reasons
            }
        }
        guard reasons.isEmpty else { throw ChangeError(reasons) }
        return found
    }

    /// Returns the row number that was found for an asset. Throws if none was found, or if this transaction may not
    /// change the asset.
    private func changeable(_ row: UInt32?, _ identifier: AssetIdentifier) throws(ChangeError) -> UInt32 {
        guard let row else { throw ChangeError(.unknownAsset(identifier)) }
        guard mayChange(row) else {
            if case .addOnly = access { throw ChangeError(.accessUserDenied) }
            throw ChangeError(.unknownAsset(identifier))
        }
        return row
    }

    /// Whether the transaction may change the asset in the table row `row`. It may change every asset that it has added
    /// itself.
    func mayChange(_ row: UInt32) -> Bool {
        if Int(row) >= draft.base.rowCount { return true }
        return switch access {
        case .full: true
        case .addOnly: false
        case .limited(let identifiers): identifiers.contains(draft.identifier(of: row))
        }
    }

    func requireFullAccess() throws(ChangeError) {
        if case .addOnly = access { throw ChangeError(.accessUserDenied) }
    }

    /// Changes a row (one asset) with `body`. The row's modification date becomes the date of the transaction, and the
    /// row is recorded as updated in the list of the transaction's changes.
    func touch(_ row: UInt32, _ body: (ChunkColumns, Int) -> Void) {
        draft.write(row, modification: date.timeIntervalSinceReferenceDate, body)
        draft.journal.updatedRows.insert(row)
    }
}

extension SnapshotDraft {
    /// The changes that the transaction has made, in the form in which an access policy receives them.
    var proposedChange: ProposedChange {
        let created = Set(journal.insertedRows)
        let updated = journal.updatedRows.subtracting(created).sorted()
        let alive = journal.insertedRows.filter { flag(.alive, of: $0) }
        let living = updated.filter { flag(.alive, of: $0) }
        return ProposedChange(
            createdAssets: alive.map { identifier(of: $0) }, updatedAssets: living.map { identifier(of: $0) },
            trashedAssets: living.filter {
                flag(.trashed, of: $0) && !base.flag(.trashed, of: $0)
            }.map { identifier(of: $0) }, deletedAssets: journal.expunged.filter { base.row(of: $0) != nil },
            createdCollections: journal.insertedCollections.filter { collections[$0] != nil },
            updatedCollections: journal.updatedCollections.filter { collections[$0] != nil && $0 != .root }
                .sorted { ($0.high, $0.low) < ($1.high, $1.low) },
            deletedCollections: journal.deletedCollections.filter { base.collections[$0] != nil })
    }
}
