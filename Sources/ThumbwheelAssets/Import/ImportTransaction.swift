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
    private var moved: [UInt32] = []
    private var unchangedCount = 0
    private var insertedRows: [FilePath: UInt32] = [:]

    /// The outcome as identifiers. Unlike row numbers, they stay valid after the transaction.
    struct Result: Sendable {
        let added: [AssetIdentifier]
        let changed: [AssetIdentifier]
        let removed: [AssetIdentifier]
        let restored: [AssetIdentifier]
        let moved: [AssetIdentifier]
        let unchangedCount: Int
    }

    init(known: KnownFiles) {
        self.known = known
    }

    func result(in draft: SnapshotDraft) -> Result {
        func identifiers(_ rows: [UInt32]) -> [AssetIdentifier] { rows.map { draft.identifier(of: $0) } }
        return Result(
            added: identifiers(added), changed: identifiers(changed), removed: identifiers(removed),
            restored: identifiers(restored), moved: identifiers(moved), unchangedCount: unchangedCount)
    }

    mutating func apply(
        _ findings: ImportFindings, _ options: ImportOptions, _ transaction: inout LibraryTransaction
    ) {
        let (walk, read, photographs) = (findings.walk, findings.read, findings.photographs)
        let bursts =
            photographs.values.contains { $0.representsBurst } ? known.snapshot.representedBursts : []
        var seen = Set<FilePath>(minimumCapacity: walk.files.count)
        for file in walk.files {
            guard seen.insert(file.path).inserted else {
                unchangedCount += 1
                continue
            }
            let row = known.row(ofFile: file.path)
            switch (row, photographs[file.path]) {
            case (let row?, _) where !transaction.mayChange(row): unchangedCount += 1
            case (let row?, let photograph?): update(row, photograph, walk, options, transaction)
            case (let row?, nil) where !read.contains(file.path): keep(row, file, transaction)
            case (nil, let photograph?): insert(photograph, bursts, transaction)
            case (nil, nil) where !read.contains(file.path) && known.row(ofCompanion: file.path) != nil:
                unchangedCount += 1
            // The file belongs to the photograph of another file, or is no longer a photograph, or its asset was deleted from
            // the library while the import ran; the report lists skipped files.
            case (_, nil): break
            }
        }
        remove(walk, seen, transaction)
        learn(findings, transaction)
    }

    /// Takes over marks and digests of files.
    private func learn(_ findings: ImportFindings, _ transaction: borrowing LibraryTransaction) {
        for (path, mark) in findings.marks {
            guard let row = known.row(ofFile: path), transaction.mayChange(row) else { continue }
            transaction.draft.learn(mark, of: row)
        }
        for (path, digest) in findings.digests {
            if let row = insertedRows[path] ?? known.row(ofFile: path) { transaction.draft.note(digest, of: row) }
        }
    }

    /// Leaves an asset as it is, except for the path of its file.
    private mutating func keep(
        _ row: UInt32, _ file: FolderWalk.File, _ transaction: borrowing LibraryTransaction
    ) {
        let hasMoved = known.hasMoved(row)
        if hasMoved {
            transaction.touch(row) { $0.move(to: file.path, node: file.node, at: $1) }
            moved.append(row)
        }
        if restore(row, transaction) { restored.append(row) } else if !hasMoved { unchangedCount += 1 }
    }

    /// Restores an asset from Recently Deleted if it is there because its file was missing. Assets that a user deleted
    /// stay deleted.
    ///
    /// - Returns: whether the asset was restored.
    @discardableResult
    private func restore(_ row: UInt32, _ transaction: borrowing LibraryTransaction) -> Bool {
        guard transaction.draft.flag(.sourceMissing, of: row) else { return false }
        transaction.setTrashed(false, row)
        return true
    }

    private mutating func update(
        _ row: UInt32, _ photograph: ImportedPhotograph, _ walk: FolderWalk, _ options: ImportOptions,
        _ transaction: borrowing LibraryTransaction
    ) {
        let identifier = transaction.draft.identifier(of: row)
        var update = PhotographUpdate(transaction.draft.read(row) { $0.facts(at: $1) }, photograph, walk)
        update.apply(assuming: options.timeZone) { transaction.draft.newPicture() }
        guard update.hasChanged else {
            transaction.draft.learn(photograph.mark, of: row)
            keep(row, photograph.file, transaction)
            return
        }
        let hasMoved = known.hasMoved(row)
        if hasMoved { moved.append(row) }
        transaction.rewrite(row, identifier, update.facts, hasNewPixels: update.hasNewPixels)
        // An adjusted asset shows its rendering, whose pixels have not changed.
        if update.hasNewPixels { transaction.draft.note(photograph.thumbHash, of: row) }
        let isRestored = restore(row, transaction)
        if !hasMoved || update.isChangedBesidesPath { changed.append(row) } else if isRestored { restored.append(row) }
    }

    /// Adds the asset of a new file. Two folders with the same name may hold files with the same name; the second file
    /// then gets a different identifier, which is the same in every run that imports in the same order.
    ///
    /// - Parameter bursts: the bursts that have a representative in the library.
    private mutating func insert(
        _ photograph: ImportedPhotograph, _ bursts: Set<String>, _ transaction: borrowing LibraryTransaction
    ) {
        var facts = photograph.facts
        facts.contentVersion = transaction.firstContentVersion
        if let burst = facts.burstIdentifier, bursts.contains(burst) { facts.representsBurst = false }
        var identifier = photograph.original.identifier
        var number = 2
        while transaction.draft.row(of: identifier) != nil {
            identifier = AssetIdentifier(NameDigest("\(photograph.file.name)\0\(number)"))
            number += 1
        }
        let row = transaction.draft.append(facts, identifier)
        transaction.draft.note(photograph.thumbHash, of: row)
        insertedRows[photograph.file.path] = row
        added.append(row)
    }

    private mutating func remove(
        _ walk: FolderWalk, _ seen: Set<FilePath>, _ transaction: borrowing LibraryTransaction
    ) {
        let lost =
            known.rows(below: walk.roots, where: { !known.hasMoved($0) && !seen.contains($1) })
            + walk.missing.compactMap { path in
                known.row(recordedAt: path).map { (row: $0, path: path) }
            }
        for (row, path) in lost {
            guard !seen.contains(path), !known.hasMoved(row), !transaction.draft.flag(.trashed, of: row),
                transaction.mayChange(row), walk.isGone(path)
            else { continue }
            transaction.setTrashed(true, row)
            transaction.draft.write(row) { columns, slot in columns[.sourceMissing, slot] = true }
            removed.append(row)
        }
    }
}

extension ChunkColumns {
    /// Puts the file of a row's photograph at another path, and leaves everything else as it is.
    fileprivate func move(to path: FilePath, node: UInt64, at slot: Int) {
        setMark(FileMark(node: node, sample: mark(at: slot).sample), at: slot)
        // Where the columns describe the file, the asset has no other, and has the file's name.
        if folder[slot] != SettledColumns.noFolder, writeFile(path, at: slot) { return }
        var facts = facts(at: slot)
        facts.move(to: path)
        ownSettledColumns().filenames.set(facts.originalFilename, at: slot)
        writeResources(facts.resources, named: facts.originalFilename, at: slot)
    }
}

extension AssetFacts {
    /// Puts the asset's file at another path. The asset's name follows if it is that of the file.
    mutating func move(to path: FilePath) {
        guard let index = resources.firstIndex(where: { $0.type == .photo }),
            let former = resources[index].filePath.map(FilePath.init)
        else { return }
        resources[index].source = .file(path: path.text)
        rename(former, path)
    }

    /// Gives the asset the name of its file's new path, if it had that of the former path.
    mutating func rename(_ former: FilePath, _ path: FilePath) {
        if FilePath(originalFilename) == FilePath(former.lastComponent) { originalFilename = path.lastComponent }
    }
}

extension Snapshot {
    /// The bursts that have a representative outside Recently Deleted. Takes time linear in the library's chunks and in its
    /// bursts.
    fileprivate var representedBursts: Set<String> {
        var bursts: Set<String> = []
        for chunk in chunks where !chunk.columns.bursts.isEmpty {
            let columns = chunk.columns
            columns.mask(.representsBurst).forEachSlot { slot in
                guard columns[.alive, slot], !columns[.trashed, slot],
                    let burst = columns.burstIdentifier(at: slot)
                else { return }
                bursts.insert(burst)
            }
        }
        return bursts
    }
}
