import Foundation
import ThumbwheelCore
import ThumbwheelFormats

/// The part of an import that changes the library according to the files that were found.
struct ImportTransaction: Sendable {
    let known: KnownFiles
    private var added: [UInt32] = []
    private var changed: [UInt32] = []
    private var removed: [UInt32] = []
    private var restored: [UInt32] = []
    private var moved: [UInt32] = []
    private var unchangedCount = 0
    /// The rows of the added assets whose digests are known, by the paths of their files.
    private var insertedRows: [FilePath: UInt32] = [:]

    /// The identifiers of the assets that the import has added, changed, removed, restored or moved. Row numbers are
    /// not used, because they may change after the transaction.
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

    /// Makes the changes. The photographs are taken out of `findings`, so that their memory is free for the library.
    mutating func apply(
        _ findings: inout ImportFindings, _ options: ImportOptions, _ transaction: inout LibraryTransaction
    ) {
        let (walk, read) = (findings.walk, findings.read)
        let companions = Set(findings.photographs.all.flatMap(\.companions).map(\.file.path))
        let bursts = findings.photographs.all.contains { $0.representsBurst } ? known.snapshot.representedBursts : []
        var seen = Set<FilePath>(minimumCapacity: walk.files.count)
        for file in walk.files {
            guard seen.insert(file.path).inserted else {
                unchangedCount += 1
                continue
            }
            let row = known.row(ofFile: file.path)
            switch (row, findings.photographs.take(file.path)) {
            case (let row?, _) where !transaction.mayChange(row): unchangedCount += 1
            case (let row?, let photograph?): update(row, photograph, walk, options, transaction)
            case (let row?, nil) where !read.contains(file.path): keepUnchanged(row, file, transaction)
            case (nil, _?) where isRenderingOfLibrary(file.path): unchangedCount += 1
            case (nil, let photograph?):
                let row = insert(photograph, bursts, transaction)
                if findings.digests[file.path] != nil { insertedRows[file.path] = row }
            case (nil, nil) where !read.contains(file.path) && known.row(ofCompanion: file.path) != nil:
                unchangedCount += 1
            // The video was an asset of its own, and is now the video of a Live Photo. So the video's own asset is
            // deleted.
            case (let row?, nil) where companions.contains(file.path): transaction.draft.expunge(row)
            // Does nothing in these cases:
            //
            // - The file only accompanies another photograph's main file.
            // - The file is no longer a photograph. The report lists it among the skipped files.
            // - The asset of the file was deleted while the import was running.
            case (_, nil): break
            }
        }
        remove(walk, seen, transaction)
        storeMarksAndDigests(findings, transaction)
    }

    /// Returns whether the file is the rendering (the edited picture) of an asset that was edited in this library. Such
    /// a file is no photograph of its own. The renderings of phones belong to the photographs of their names.
    private func isRenderingOfLibrary(_ path: FilePath) -> Bool {
        guard let row = known.row(ofCompanion: path), !FileKinship(path).isRendering else { return false }
        let columns = known.snapshot.chunks[Chunk.index(of: row)].columns
        return columns.resources(at: Chunk.slot(of: row)).contains { resource in
            resource.type.comesByAdjustment && resource.filePath.map(FilePath.init) == path
        }
    }

    /// Stores in the library the marks (the data by which later imports recognize a moved file) and the digests of
    /// files.
    private func storeMarksAndDigests(_ findings: ImportFindings, _ transaction: borrowing LibraryTransaction) {
        for (path, mark) in findings.marks {
            guard let row = known.row(ofFile: path), transaction.mayChange(row) else { continue }
            transaction.draft.setMark(mark, of: row)
        }
        for (path, digest) in findings.digests {
            if let row = insertedRows[path] ?? known.row(ofFile: path) { transaction.draft.note(digest, of: row) }
        }
    }

    /// Handles an asset whose file was not read, because the file is unchanged. The asset stays as it is, with two
    /// exceptions:
    ///
    /// - If the file has moved, its new path is stored.
    /// - If the asset is in Recently Deleted because its file was missing, the asset is restored.
    private mutating func keepUnchanged(
        _ row: UInt32, _ file: FolderWalk.File, _ transaction: borrowing LibraryTransaction
    ) {
        let hasMoved = known.hasMoved(row)
        if hasMoved {
            transaction.touch(row) { $0.move(to: file.path, node: file.node, at: $1) }
            moved.append(row)
        }
        if restore(row, transaction) { restored.append(row) } else if !hasMoved { unchangedCount += 1 }
    }

    /// Restores an asset from Recently Deleted if it is there because its file was missing. If a user has deleted the
    /// asset, it stays there.
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
            transaction.draft.setMark(photograph.mark, of: row)
            keepUnchanged(row, photograph.file, transaction)
            return
        }
        let hasMoved = known.hasMoved(row)
        if hasMoved { moved.append(row) }
        transaction.rewrite(row, identifier, update.facts, hasNewPixels: update.hasNewPixels)
        // A new hash is stored only if the shown pixels are new. If the original of an adjusted asset has changed, the
        // asset still shows the same rendering, and the hash of the rendering stays valid.
        if update.hasNewPixels { transaction.draft.note(update.photograph.thumbHash, of: row) }
        let isRestored = restore(row, transaction)
        if !hasMoved || update.isChangedBesidesPath { changed.append(row) } else if isRestored { restored.append(row) }
    }

    /// Adds an asset for a new file. The asset's identifier is made from the names of the file and of its folders. If
    /// two folders with the same name contain files with the same name, the second file gets another identifier. This
    /// identifier is the same whenever the files are imported in the same order.
    ///
    /// - Parameter bursts: the bursts that already have a representative in the library.
    /// - Returns: the row of the new asset.
    private mutating func insert(
        _ photograph: ImportedPhotograph, _ bursts: Set<String>, _ transaction: borrowing LibraryTransaction
    ) -> UInt32 {
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
        added.append(row)
        return row
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
    /// Sets another path for a row's main file (its photograph or video). Everything else stays as it is.
    fileprivate func move(to path: FilePath, node: UInt64, at slot: Int) {
        setMark(FileMark(node: node, sample: mark(at: slot).sample), at: slot)
        // Replaces only the folder and the name if the columns contain them for this row. They do if the asset has only
        // one file and its original filename is the name of this file. For an asset that does not fit into the columns,
        // the whole list of files is written again below.
        if folder[slot] != SettledColumns.noFolder, writeFile(path, at: slot) { return }
        var facts = facts(at: slot)
        facts.move(to: path)
        ownSettledColumns().filenames.set(facts.originalFilename, at: slot)
        writeResources(facts.resources, named: facts.originalFilename, at: slot)
    }
}

extension AssetFacts {
    /// Sets another path for the asset's main file (its photograph or video). If the original filename was the file's
    /// former name, it is changed to the file's new name.
    mutating func move(to path: FilePath) {
        guard let index = Self.mainIndex(of: resources),
            let former = resources[index].filePath.map(FilePath.init)
        else { return }
        resources[index].source = .file(path: path.text)
        rename(former, path)
    }

    /// Adapts the original filename to a new path of the file: if the original filename was the name in the former
    /// path, it becomes the name in the new path. Otherwise, the original filename stays as it is.
    mutating func rename(_ former: FilePath, _ path: FilePath) {
        if FilePath(originalFilename) == FilePath(former.lastComponent) { originalFilename = path.lastComponent }
    }
}

extension Snapshot {
    /// The bursts that have a representative outside Recently Deleted. The time is linear in the numbers of chunks and
    /// of bursts.
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
