import Dispatch
import Foundation
import ThumbwheelCore

extension PhotoLibrary {
    /// Adds the images in a folder and in those below it.
    ///
    /// Files are come across in the order of their names; hidden ones are passed over. Only heads are read, several at a
    /// time, on threads of the import's own. Identifiers follow from the path from the folder's name on, so that another
    /// run gives the same ones; a file that is in the library already is not added again.
    ///
    /// All assets appear in the library at once, at the end. When the calling task is cancelled, none does.
    ///
    /// - Parameter progress: is called now and then, one call at a time, on a thread of the import.
    public func importFolder(
        at path: String, options: ImportOptions = ImportOptions(),
        progress: (@Sendable (ImportProgress) -> Void)? = nil
    ) async throws(ImportError) -> ImportReport {
        try await runImport([path], mustBeFolders: true, options, progress)
    }

    /// Adds images by their paths, and those in and below the folders among them, as `importFolder` does.
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
                DispatchQueue.global(qos: .utility).async {
                    let result = Result { () throws(ImportError) in
                        var walk = FolderWalk(token: token)
                        for path in paths { try walk.add(path, mustBeFolder: mustBeFolders) }
                        let heads = try HeadReading(walk.files, options, addedDate: self.now(), token: token)
                            .outcomes(progress)
                        guard !token.isCancelled else { throw .cancelled }
                        return self.insert(walk, heads)
                    }
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            token.cancel()
        }
        return try result.get()
    }

    private func insert(_ walk: FolderWalk, _ outcomes: [HeadReading.Outcome]) -> ImportReport {
        let (added, alreadyPresentCount) = change { snapshot in
            var added: [Asset] = []
            var alreadyPresentCount = 0
            for (file, outcome) in zip(walk.files, outcomes) {
                guard case .asset(let asset) = outcome else { continue }
                if let asset = snapshot.insertFile(asset, path: file.path, name: file.name) {
                    added.append(asset)
                } else {
                    alreadyPresentCount += 1
                }
            }
            return (added, alreadyPresentCount)
        }
        let skipped = zip(walk.files, outcomes).compactMap { file, outcome in
            if case .skipped(let reason) = outcome { ImportReport.Skip(path: file.path, reason: reason) } else { nil }
        }
        return ImportReport(
            added: FetchResult(added), alreadyPresentCount: alreadyPresentCount, skipped: walk.skipped + skipped)
    }
}
