import Foundation
import ThumbwheelCore

extension PhotoLibrary {
    /// Brings the library up to date with a folder and all folders below it. New images and videos are added, and
    /// changed ones are updated. Assets whose files are gone are moved to Recently Deleted.
    ///
    /// Files are found in the order of their names, and hidden files are skipped. Only the heads of files (the metadata
    /// at their start) are read, several at the same time, on threads outside Swift's own pool. The identifier of an
    /// asset is computed from its path, starting with the name of the folder, so that each run gives the same
    /// identifiers.
    ///
    /// Files that belong to one photograph become one asset; see <doc:Semantics#Files-of-one-photograph>.
    ///
    /// A second import of a folder is incremental:
    ///
    /// - Unchanged files are not read.
    /// - A file with another size or another modification date counts as a new picture, and its asset gets a new
    ///   content version. An asset that was adjusted in this library keeps its content version and its edited picture;
    ///   only its original is replaced by the changed file.
    /// - Assets whose files have been renamed or moved keep everything except the path and the name of the file; see
    ///   <doc:Semantics#Files-that-move>.
    /// - Assets whose files are gone are moved to Recently Deleted.
    /// - Assets whose files are there again are restored.
    ///
    /// All changes are made in one transaction at the end. If nothing has changed, there is no transaction. If the
    /// calling task is cancelled, nothing is changed. Assets that the user may not change stay as they are.
    ///
    /// - Parameter progress: called from time to time, one call at a time, on a thread of the import.
    /// - Throws: `ImportError`. Nothing has changed then. Files that cannot be imported are listed in the report.
    /// - Complexity: linear in the number of files. Only the heads of new and changed files are read.
    @discardableResult
    public func importFolder(
        at path: String, options: ImportOptions = ImportOptions(),
        progress: (@Sendable (ImportProgress) -> Void)? = nil
    ) async throws(ImportError) -> ImportReport {
        try await runImport([path], mustBeFolders: true, options, progress)
    }

    /// Imports the images and videos at some paths. A folder is imported as by `importFolder`, so assets whose files
    /// are gone from it are moved to Recently Deleted.
    ///
    /// - Throws: `ImportError`. Nothing has changed then. Files that cannot be imported are listed in the report.
    public func importFiles(
        _ paths: [String], options: ImportOptions = ImportOptions(),
        progress: (@Sendable (ImportProgress) -> Void)? = nil
    ) async throws(ImportError) -> ImportReport {
        try await runImport(paths, mustBeFolders: false, options, progress)
    }

    private func runImport(
        _ paths: [String], mustBeFolders: Bool, _ options: ImportOptions,
        _ progress: (@Sendable (ImportProgress) -> Void)?
    ) async throws(ImportError) -> ImportReport {
        let token = CancellationToken()
        let result = await withTaskCancellationHandler {
            // Reading makes a thread wait. A thread outside Swift's own pool is used, because a waiting thread of the
            // pool would delay the host program's tasks.
            await withCheckedContinuation { continuation in
                BlockingThreads.reads.run {
                    let result = Result { () throws(ImportError) in
                        var walk = FolderWalk(token: token)
                        for path in paths { try walk.add(path, mustBeFolder: mustBeFolders) }
                        return try self.runImport(walk, options, token, progress)
                    }
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            token.cancel()
        }
        return try result.get()
    }

    private func runImport(
        _ walk: FolderWalk, _ options: ImportOptions, _ token: CancellationToken,
        _ progress: ((ImportProgress) -> Void)?
    ) throws(ImportError) -> ImportReport {
        var known = KnownFiles(snapshot)
        return try runImport(walk, &known, options, token, progress)
    }

    /// Imports the files that a search has found: reads the new and changed ones, and changes the library in one
    /// transaction.
    ///
    /// - Parameter known: the table of the library's files. It is first updated to the present state of the library.
    func runImport(
        _ walk: FolderWalk, _ known: inout KnownFiles, _ options: ImportOptions, _ token: CancellationToken,
        _ progress: ((ImportProgress) -> Void)?
    ) throws(ImportError) -> ImportReport {
        known.update(to: snapshot)
        var movedFiles = MovedFiles(walk, token: token)
        movedFiles.findByNode(in: &known)
        // Unchanged files are not read again. A second import reads only their status (size and date).
        let triage = FileTriage(walk, known)
        var files = triage.filesToRead
        let added = now()
        func read(
            _ files: [FolderWalk.File], _ progress: ((ImportProgress) -> Void)?
        ) throws(ImportError) -> [HeadReading.Outcome] {
            try HeadReading(
                files, options, addedDate: added, knownCount: walk.files.count - files.count, token: token
            ).outcomes(progress)
        }
        var outcomes = try read(files, progress)
        let relatives = triage.relatives(of: files, outcomes)
        outcomes += try read(relatives, nil)
        files += relatives
        guard !token.isCancelled else { throw .cancelled }
        movedFiles.findBySample(files, outcomes, in: &known)
        var lookalikes = LookalikeFiles(movedFiles.digests, token: token)
        lookalikes.add(files, outcomes, known)
        let paths = Set(files.map(\.path))
        let marks = MarkReading(walk, read: paths, known, token: token).marks
        guard !token.isCancelled else { throw .cancelled }
        let table = known
        let assembly = PhotographAssembly(files, outcomes) { table.row(ofFile: $0.path) != nil }
        var findings = ImportFindings(
            walk: walk, read: paths, photographs: assembly.byPath, marks: marks, digests: lookalikes.digests)
        // The last use of the assembly, which takes much memory, is before the transaction.
        let skipped = walk.skipped + assembly.skipped
        let result: ImportTransaction.Result
        do {
            result = try core.transactAndWait(policy) { transaction in
                var run = ImportTransaction(known: known.carryingMoves(to: transaction.draft.base))
                run.apply(&findings, options, &transaction)
                return run.result(in: transaction.draft)
            }
        } catch {
            throw .refused(error as? ChangeError ?? ChangeError(.accessUserDenied))
        }
        let snapshot = snapshot
        // Returns the assets with these identifiers. An asset is left out if another transaction has deleted it since
        // the transaction of this import.
        func assets(_ identifiers: [AssetIdentifier]) -> FetchResult<Asset> {
            FetchResult(snapshot.rows(of: identifiers).compactMap { $0.map { snapshot.asset(at: $0) } })
        }
        return ImportReport(
            added: assets(result.added), changed: assets(result.changed), removed: assets(result.removed),
            restored: assets(result.restored), moved: assets(result.moved), alreadyPresentCount: result.unchangedCount,
            skipped: skipped)
    }
}
