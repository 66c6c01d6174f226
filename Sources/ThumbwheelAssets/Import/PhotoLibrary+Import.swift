import Foundation
import ThumbwheelCore

extension PhotoLibrary {
    /// Adds the images in a folder and in all folders below it.
    ///
    /// Files are found in the order of their names; hidden files are skipped. Only heads are read, several at a time, on
    /// the import's own threads. Identifiers are derived from the path that starts with the folder's name, so that
    /// another run gives the same identifiers.
    ///
    /// A second import of a folder is incremental:
    /// - unchanged files are not read;
    /// - files with a different size or modification date give their assets a new content version;
    /// - assets whose files are gone move to Recently Deleted;
    /// - assets whose files have reappeared are restored.
    ///
    /// All this happens in one transaction at the end, or in none if nothing has changed. If the calling task is
    /// cancelled, nothing is changed. A view that may change only some assets, or only add assets, leaves the others
    /// unchanged.
    ///
    /// - Parameter progress: called from time to time, one call at a time, on a thread of the import.
    /// - Throws: `ImportError`; nothing has changed then. Files that cannot be imported are in the report.
    /// - Complexity: linear in the number of files; only the heads of new and changed files are read.
    @discardableResult
    public func importFolder(
        at path: String, options: ImportOptions = ImportOptions(),
        progress: (@Sendable (ImportProgress) -> Void)? = nil
    ) async throws(ImportError) -> ImportReport {
        try await runImport([path], mustBeFolders: true, options, progress)
    }

    /// Adds images by their paths. A path to a folder adds all images in and below that folder, as `importFolder` does.
    ///
    /// - Throws: `ImportError`; nothing has changed then. Files that cannot be imported are in the report.
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
            // Reading blocks, so it must not run on the threads of Swift's own pool, where it would delay the host's
            // tasks.
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
        let known = KnownFiles(snapshot)
        // Unchanged files are not read again, so a second import only checks each file's status.
        let files = walk.files.filter { !known.isUnchanged($0) }
        let outcomes = try HeadReading(
            files, options, addedDate: now(), knownCount: walk.files.count - files.count, token: token
        ).outcomes(progress)
        guard !token.isCancelled else { throw .cancelled }
        let result: ImportTransaction.Result
        do {
            result = try core.transactAndWait(policy) { transaction in
                var run = ImportTransaction(
                    known: known.snapshot === transaction.draft.base ? known : KnownFiles(transaction.draft.base))
                run.apply(walk, files, outcomes, options, &transaction)
                return run.result(in: transaction.draft)
            }
        } catch {
            throw .refused(error as? ChangeError ?? ChangeError(.accessUserDenied))
        }
        let snapshot = snapshot
        // Later transactions may already have deleted some of the assets.
        func assets(_ identifiers: [AssetIdentifier]) -> FetchResult<Asset> {
            FetchResult(identifiers.compactMap { snapshot.row(of: $0).map { snapshot.asset(at: $0) } })
        }
        let skipped = zip(files, outcomes).compactMap { file, outcome in
            if case .skipped(let reason) = outcome {
                ImportReport.Skip(path: file.path.text, reason: reason)
            } else {
                nil
            }
        }
        return ImportReport(
            added: assets(result.added), changed: assets(result.changed), removed: assets(result.removed),
            restored: assets(result.restored), alreadyPresentCount: result.unchangedCount,
            skipped: walk.skipped + skipped)
    }
}
