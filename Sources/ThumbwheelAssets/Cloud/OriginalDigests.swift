import Dispatch
import Foundation
import ThumbwheelCore
import ThumbwheelLocks

/// The digests of the originals of some assets, several at a time. A digest is kept with its asset as long as the original is
/// unchanged. No lock is held while bytes are read.
struct OriginalDigests: Sendable {
    let snapshot: Snapshot
    let token: CancellationToken

    typealias Outcome = Result<CloudIdentifier, CloudIdentifierError>

    /// The identifiers of some rows, in their order. The calling thread waits for all of them.
    func identifiers(of rows: [UInt32]) -> [Outcome] {
        let outcomes = Mutex<[Int: Outcome]>([:])
        DispatchQueue.concurrentPerform(iterations: rows.count) { index in
            let outcome = Result { () throws(CloudIdentifierError) in try identifier(of: rows[index]) }
            outcomes.withLock { $0[index] = outcome }
        }
        return outcomes.withLock { $0 }.sorted { $0.key < $1.key }.map(\.value)
    }

    private func identifier(of row: UInt32) throws(CloudIdentifierError) -> CloudIdentifier {
        let (columns, slot) = (snapshot.chunks[Chunk.index(of: row)].columns, Chunk.slot(of: row))
        let resources = columns.resources(at: slot)
        guard
            let original = [.photo, .video, .audio].lazy.compactMap({ type in resources.first { $0.type == type } })
                .first
        else { throw .identifierNotFound(columns.identifier(at: slot).localIdentifier) }
        guard original.isLocallyAvailable else {
            throw .networkAccessRequired(columns.identifier(at: slot).localIdentifier)
        }
        let byteCount = columns.originalFileSize(at: slot)
        let picture = columns.originalPicture(at: slot)
        let isAsKnown = isUnchanged(original, byteCount, columns.fileDate(at: slot))
        if isAsKnown, let digest = columns.digests.digest(at: slot, original: picture) {
            return CloudIdentifier(digest, byteCount: byteCount)
        }
        let digest: ContentDigest
        let source: any ByteSource
        do throws(ByteSourceError) {
            source = try original.open()
            digest = try ContentDigest(of: source, token: token)
        } catch {
            throw .unreadable(error)
        }
        // A file that changed meanwhile has this digest for now; the library does not know its new picture yet.
        if isAsKnown, source.byteCount == byteCount, isUnchanged(original, byteCount, columns.fileDate(at: slot)) {
            columns.digests.keep(digest, at: slot, original: picture)
        }
        return CloudIdentifier(digest, byteCount: source.byteCount)
    }

    /// Whether an original is as the library knows it. The date that the library has of an asset with several files is that of the
    /// newest. Bytes of hosts only change with the library's knowledge.
    private func isUnchanged(_ original: AssetResource, _ byteCount: Int, _ fileDate: Double) -> Bool {
        guard let path = original.filePath else { return true }
        guard let status = try? FileStatus(path: path), status.byteCount == byteCount else { return false }
        return status.modificationDate.timeIntervalSinceReferenceDate <= fileDate
    }
}
