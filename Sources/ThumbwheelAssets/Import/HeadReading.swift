import Dispatch
import Foundation
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelLocks

/// The reading of the heads of many files, as many at a time as there are processors.
struct HeadReading {
    enum Outcome: Sendable {
        case asset(Asset)
        case skipped(ImportReport.SkipReason)
    }

    private let files: [FolderWalk.File]
    private let options: ImportOptions
    private let addedDate: Date
    private let token: CancellationToken
    /// The number of files that need not be read, used to report progress.
    private let knownCount: Int

    // Files are read in batches. Between batches, the leading thread reports progress and checks for cancellation, so
    // that the reports come in order and need no lock.
    private static let batchSize = 128

    init(
        _ files: [FolderWalk.File], _ options: ImportOptions, addedDate: Date, knownCount: Int, token: CancellationToken
    ) {
        self.files = files
        self.options = options
        self.addedDate = addedDate
        self.token = token
        self.knownCount = knownCount
    }

    /// The outcome of each file, in the order of the files. Blocks until all files have been read.
    func outcomes(_ progress: ((ImportProgress) -> Void)?) throws(ImportError) -> [Outcome] {
        var outcomes: [Outcome] = []
        outcomes.reserveCapacity(files.count)
        while outcomes.count < files.count {
            let batch = files[outcomes.count..<min(files.count, outcomes.count + Self.batchSize)]
            outcomes += try readBatch(batch)
            progress?(
                ImportProgress(
                    doneCount: knownCount + outcomes.count, totalCount: knownCount + files.count))
        }
        return outcomes
    }

    private func readBatch(_ batch: ArraySlice<FolderWalk.File>) throws(ImportError) -> [Outcome] {
        let outcomes = Mutex<[Int: Outcome]>([:])
        DispatchQueue.concurrentPerform(iterations: batch.count) { index in
            guard !token.isCancelled else { return }
            let outcome = read(batch[batch.startIndex + index])
            outcomes.withLock { $0[index] = outcome }
        }
        let done = outcomes.withLock { $0 }
        // A file has no outcome only if its thread saw that the import was cancelled.
        guard done.count == batch.count else { throw .cancelled }
        return done.sorted { $0.key < $1.key }.map(\.value)
    }

    private func read(_ file: FolderWalk.File) -> Outcome {
        do throws(HeadError) {
            let asset = try Asset(
                reading: .file(path: file.path.text), identifier: AssetIdentifier(NameDigest(file.name)),
                originalFilename: file.path.lastComponent,
                assuming: options.timeZone, modificationDate: file.modificationDate, addedDate: addedDate)
            if let hash = options.thumbHash?(asset) { asset.keepThumbHash(hash) }
            return .asset(asset)
        } catch .unknownType {
            return .skipped(.notAnImage)
        } catch .source(let error) {
            return .skipped(.unreadable(error))
        } catch {
            return .skipped(.damaged(error))
        }
    }
}
