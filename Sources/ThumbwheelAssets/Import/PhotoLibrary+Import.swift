import Foundation
import ThumbwheelCore

extension PhotoLibrary {
    /// Adds the images in a folder and in those below it.
    ///
    /// Files are come across in the order of their names; hidden ones are passed over. Only heads are read, several at a
    /// time, on threads of the import's own. Identifiers follow from the path from the folder's name on, so that another
    /// run gives the same ones.
    ///
    /// Another run is incremental: files that are as they were are not read, those with another size or modification date
    /// give their assets a new content version, assets whose files are gone move to Recently Deleted, and those whose files
    /// are there again come back. All this is one transaction, at the end; none where nothing is new. When the calling task
    /// is cancelled, nothing is changed. A view that may change only some assets, or only add, leaves the others as they
    /// are.
    ///
    /// - Parameter progress: is called now and then, one call at a time, on a thread of the import.
    /// - Throws: `ImportError`; nothing has changed then. Files that cannot be imported are in the report.
    /// - Complexity: linear in the number of files; heads are read only of new and changed ones.
    @discardableResult
    public func importFolder(
        at path: String, options: ImportOptions = ImportOptions(),
        progress: (@Sendable (ImportProgress) -> Void)? = nil
    ) async throws(ImportError) -> ImportReport {
        try await runImport([path], mustBeFolders: true, options, progress)
    }

    /// Adds images by their paths, and those in and below the folders among them, as `importFolder` does.
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
            // Reading blocks: on the threads of Swift's own pool it would hold up the host's tasks.
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
        // What is as it was is not read again: a second run costs a look at each file's status.
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
        // Transactions after this one may have deleted some of the assets.
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
