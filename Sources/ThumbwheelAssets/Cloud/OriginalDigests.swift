import Dispatch
import Foundation
import ThumbwheelCore
import ThumbwheelLocks

/// Computes digests of the originals of assets, several at the same time. The library stores a digest with its asset
/// until the original changes. No lock is held while originals are read.
struct OriginalDigests: Sendable {
    let snapshot: Snapshot
    let token: CancellationToken

    typealias Outcome = Result<CloudIdentifier, CloudIdentifierError>

    /// Returns the cloud identifiers of the assets in some rows (a row is one asset), in the order of the rows. The
    /// calling thread waits for all identifiers.
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
        let newestFileDate = columns.newestFileDate(at: slot)
        let isOnlyFile = resources.count { $0.filePath != nil } == 1
        let isAsKnown = isUnchanged(original, byteCount, newestFileDate, isOnlyFile: isOnlyFile)
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
        // Stores the digest only if the file is the one that the library last read. Otherwise, the digest belongs to
        // new contents, but the library's picture version (the number under which the digest is stored) still stands
        // for the old contents.
        if isAsKnown, source.byteCount == byteCount,
            isUnchanged(original, byteCount, newestFileDate, isOnlyFile: isOnlyFile)
        {
            columns.digests.keep(digest, at: slot, original: picture)
        }
        return CloudIdentifier(digest, byteCount: source.byteCount)
    }

    /// Returns whether the original is unchanged since the library last read it. A file counts as unchanged if it has
    /// the length `byteCount` and the date `newestFileDate`, the date of the asset's newest file as the library knows
    /// it. If the asset has several files, the date of the original may also be earlier. An original that is not a file
    /// always counts as unchanged, because the program that uses this library reports its changes.
    private func isUnchanged(
        _ original: AssetResource, _ byteCount: Int, _ newestFileDate: Double, isOnlyFile: Bool
    ) -> Bool {
        guard let path = original.filePath else { return true }
        guard let status = try? FileStatus(path: path), status.byteCount == byteCount else { return false }
        let date = status.modificationDate.timeIntervalSinceReferenceDate
        return isOnlyFile ? date == newestFileDate : date <= newestFileDate
    }
}
