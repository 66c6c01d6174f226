import Foundation
import ThumbwheelCore
import ThumbwheelFormats

/// The part of an import that updates the library to match the files that were found.
struct ImportTransaction: Sendable {
    let known: KnownFiles
    private var added: [UInt32] = []
    private var changed: [UInt32] = []
    private var removed: [UInt32] = []
    private var restored: [UInt32] = []
    private var unchangedCount = 0

    /// The outcome as identifiers, which stay valid after the transaction.
    struct Result: Sendable {
        let added: [AssetIdentifier]
        let changed: [AssetIdentifier]
        let removed: [AssetIdentifier]
        let restored: [AssetIdentifier]
        let unchangedCount: Int
    }

    init(known: KnownFiles) {
        self.known = known
    }

    func result(in draft: SnapshotDraft) -> Result {
        func identifiers(_ rows: [UInt32]) -> [AssetIdentifier] { rows.map { draft.identifier(of: $0) } }
        return Result(
            added: identifiers(added), changed: identifiers(changed), removed: identifiers(removed),
            restored: identifiers(restored), unchangedCount: unchangedCount)
    }

    /// - Parameters:
    ///   - files: the files of the walk that were read.
    ///   - outcomes: the outcome of reading each of `files`.
    mutating func apply(
        _ walk: FolderWalk, _ files: [FolderWalk.File], _ outcomes: [HeadReading.Outcome], _ options: ImportOptions,
        _ transaction: inout LibraryTransaction
    ) {
        var read: [FilePath: HeadReading.Outcome] = [:]
        for (file, outcome) in zip(files, outcomes) { read[file.path] = outcome }
        var seen: Set<FilePath> = []
        for file in walk.files {
            guard seen.insert(file.path).inserted else {
                unchangedCount += 1
                continue
            }
            let row = known.row(ofFile: file.path)
            switch (row, read[file.path]) {
            case (let row?, _) where !transaction.mayChange(row): unchangedCount += 1
            case (let row?, .asset(let asset)): update(row, asset, file, options, transaction)
            case (let row?, nil): keep(row, transaction)
            case (nil, .asset(let asset)): insert(asset, file, transaction)
            // The file is no longer a photograph, or was deleted from the library while the import ran; the report lists
            // skipped files.
            case (_, .skipped), (nil, nil): break
            }
        }
        remove(walk, seen, transaction)
    }

    private mutating func keep(_ row: UInt32, _ transaction: borrowing LibraryTransaction) {
        if restore(row, transaction) { restored.append(row) } else { unchangedCount += 1 }
    }

    /// Restores an asset whose file has reappeared. Only assets deleted because their file was missing are restored;
    /// assets deleted by a user stay deleted.
    @discardableResult
    private func restore(_ row: UInt32, _ transaction: borrowing LibraryTransaction) -> Bool {
        guard transaction.draft.flag(.sourceMissing, of: row) else { return false }
        transaction.setTrashed(false, row)
        return true
    }

    private mutating func update(
        _ row: UInt32, _ asset: Asset, _ file: FolderWalk.File, _ options: ImportOptions,
        _ transaction: borrowing LibraryTransaction
    ) {
        var facts = transaction.draft.read(row) { $0.facts(at: $1) }
        let oldHead = facts.adjustment?.originalHead ?? facts.head
        // A creation date that was set by a user is kept.
        if facts.creationDate == oldHead.captureDate?.date(assuming: options.timeZone) {
            facts.creationDate = asset.creationDate
        }
        facts.fileDate = file.modificationDate
        let identifier = transaction.draft.identifier(of: row)
        // An adjusted asset shows its rendering, whose pixels have not changed.
        let isAdjusted = facts.adjustment != nil
        if isAdjusted {
            facts.adjustment?.originalHead = asset.head
            facts.adjustment?.originalFileSize = asset.fileSize
            facts.adjustment?.originalPicture = transaction.draft.newPicture()
        } else {
            facts.head = asset.head
            facts.fileSize = asset.fileSize
        }
        transaction.rewrite(row, identifier, facts, hasNewPixels: !isAdjusted)
        if !isAdjusted { transaction.draft.note(asset.thumbHash, of: row) }
        restore(row, transaction)
        changed.append(row)
    }

    /// Adds the asset of a new file. Two folders with the same name may hold files with the same name; the second file
    /// then gets a different identifier, which is the same in every run that imports in the same order.
    private mutating func insert(_ asset: Asset, _ file: FolderWalk.File, _ transaction: borrowing LibraryTransaction) {
        var facts = asset.facts
        facts.contentVersion = transaction.firstContentVersion
        facts.fileDate = file.modificationDate
        var identifier = asset.identifier
        var number = 2
        while transaction.draft.row(of: identifier) != nil {
            identifier = AssetIdentifier(NameDigest("\(file.name)\0\(number)"))
            number += 1
        }
        let row = transaction.draft.append(facts, identifier)
        transaction.draft.note(asset.thumbHash, of: row)
        added.append(row)
    }

    private mutating func remove(
        _ walk: FolderWalk, _ seen: Set<FilePath>, _ transaction: borrowing LibraryTransaction
    ) {
        // Files below a folder that could not be read may still exist, so their assets are kept.
        let unreadable = walk.skipped.filter { skip in
            if case .unreadable(.unreadable) = skip.reason { true } else { false }
        }.map { FilePath($0.path) }
        for root in walk.roots {
            for (row, path) in known.rows(below: root) {
                guard !seen.contains(path), !transaction.draft.flag(.trashed, of: row),
                    transaction.mayChange(row),
                    !unreadable.contains(where: { path == $0 || path.isBelow($0) })
                else { continue }
                transaction.setTrashed(true, row)
                transaction.draft.write(row) { columns, slot in columns[.sourceMissing, slot] = true }
                removed.append(row)
            }
        }
    }
}
