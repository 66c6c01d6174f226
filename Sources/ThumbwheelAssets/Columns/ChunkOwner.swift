/// Keeps the chunks of a `ChunkList` alive: those that one transaction has made, and through `former` those that the
/// transactions before it have made. So a transaction counts references of the chunks that it changes, and not of all
/// others.
///
/// The price is that former versions of chunks stay in memory until an owner of all present chunks takes the place of
/// the chain. This happens when they are many.
///
/// The class is unchecked `Sendable` because its properties are variables. They are written only while one list refers
/// to the object.
final class ChunkOwner: @unchecked Sendable {
    private let former: ChunkOwner?
    private var chunks: [ChunkColumns]
    /// The number of owners in the chain. Destroying the chain takes a stack of this depth.
    private let depth: Int
    /// The memory that former versions of chunks use, in kilobytes, about.
    private var formerKilobyteCount: Int
    /// Whether a former version has details that no present version has. Details can hold objects of the host program
    /// and the bytes of whole files, so they must not outlive their assets.
    private var holdsFormerDetails = false

    private static let depthLimit = 64

    init(_ chunks: [ChunkColumns] = []) {
        (former, self.chunks, depth, formerKilobyteCount) = (nil, chunks, 1, 0)
    }

    init(after former: ChunkOwner) {
        (self.former, chunks, depth) = (former, [], former.depth + 1)
        formerKilobyteCount = former.formerKilobyteCount
    }

    func add(_ columns: ChunkColumns, isNewVersion: Bool) {
        chunks.append(columns)
        guard isNewVersion else { return }
        formerKilobyteCount += columns.formerKilobyteCount
        if columns.lacksFormerDetails { holdsFormerDetails = true }
    }

    /// Returns whether a new owner of the present chunks should take the place of this one and the chain behind it.
    func shouldBeReplaced(chunkCount: Int) -> Bool {
        holdsFormerDetails || depth >= Self.depthLimit || formerKilobyteCount > max(chunkCount, Self.depthLimit)
    }
}
