import Dispatch
import Foundation
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelLocks

/// Reads the heads of many files (the metadata at their start). Several files are read at the same time, as many as
/// there are processors.
struct HeadReading {
    /// The asset that was made from the head of a photograph or video, with two values that only imports need.
    struct Photograph: Sendable {
        let asset: Asset
        /// The identifier that is the same in the two files of a Live Photo.
        let contentIdentifier: String?
        /// The data by which later imports recognize the file under another path.
        let mark: FileMark
    }

    enum Outcome: Sendable {
        case photograph(Photograph)
        /// The file is a video. It may be the moving part of a Live Photo.
        case movie(Photograph)
        /// The file contains the adjustment data of an edit.
        case adjustmentData
        case skipped(ImportReport.SkipReason)

        /// The photograph or video; nil for other files.
        var reading: Photograph? {
            switch self {
            case .photograph(let photograph), .movie(let photograph): photograph
            case .adjustmentData, .skipped: nil
            }
        }
    }

    private let files: [FolderWalk.File]
    private let options: ImportOptions
    private let addedDate: Date
    private let token: CancellationToken
    /// The number of files that are known to be unchanged and are not read. Progress reports count them as done.
    private let knownCount: Int

    // Files are read in batches. The thread that called `outcomes` reports progress after each batch, so that the
    // reports come in order and need no lock.
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

    /// Returns the outcome for each file, in the order of the files. The calling thread waits until all files have been
    /// read.
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
        // If the import was cancelled while a batch was being read, some of its files have no outcome.
        guard done.count == batch.count else { throw .cancelled }
        return done.sorted { $0.key < $1.key }.map(\.value)
    }

    private func read(_ file: FolderWalk.File) -> Outcome {
        if FileKinship(file.path).isAdjustmentData { return .adjustmentData }
        do throws(HeadError) {
            let source: FileByteSource
            do throws(ByteSourceError) {
                source = try FileByteSource(path: file.path.text)
            } catch {
                throw .source(error)
            }
            if let photograph = try photograph(file, source) { return .photograph(photograph) }
            let facts = try PhotographFacts(readingVideo: source, filename: file.path.lastComponent)
            return .movie(reading(facts, of: .video, file, source))
        } catch .unknownType {
            return .skipped(.notAnImage)
        } catch .source(let error) {
            return .skipped(.unreadable(error))
        } catch {
            return .skipped(.damaged(error))
        }
    }

    /// Reads the metadata of a photograph; nil if the file is not an image of a known format.
    private func photograph(_ file: FolderWalk.File, _ source: FileByteSource) throws(HeadError) -> Photograph? {
        let facts: PhotographFacts
        do throws(HeadError) {
            facts = try PhotographFacts(reading: source, filename: file.path.lastComponent)
        } catch .unknownType {
            return nil
        } catch {
            throw error
        }
        return reading(facts, of: .photo, file, source)
    }

    private func reading(
        _ facts: PhotographFacts, of type: AssetResourceType, _ file: FolderWalk.File, _ source: FileByteSource
    ) -> Photograph {
        let asset = Asset(
            facts, identifier: AssetIdentifier(NameDigest(file.name)),
            resource: AssetResource(type: type, source: .file(path: file.path.text)),
            fileSize: source.byteCount, originalFilename: file.path.lastComponent, assuming: options.timeZone,
            modificationDate: file.modificationDate, addedDate: addedDate)
        if let hash = options.thumbHash?(asset) { asset.keepThumbHash(hash) }
        return Photograph(
            asset: asset, contentIdentifier: facts.contentIdentifier,
            mark: FileMark(node: file.node, sample: FileMark.sample(of: source)))
    }
}
