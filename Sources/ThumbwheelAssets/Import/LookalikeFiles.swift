import Foundation
import ThumbwheelCore

/// Files that look alike: they have the same size and the same first and last bytes. If such files are moved later,
/// they can be told apart by the digests that this type computes.
struct LookalikeFiles {
    private(set) var digests: [FilePath: ContentDigest]
    private let token: CancellationToken
    /// The number of bytes that this import may still read for digests. When it is used up, files with the same size
    /// and the same first and last bytes are told apart only by their inode numbers and names.
    private var byteBudget = 256 << 20
    private var byNode: [UInt64: ContentDigest] = [:]

    private struct SimilarityKey: Hashable {
        let byteCount: Int
        let sample: UInt64
    }

    private struct Member {
        let path: FilePath
        let node: UInt64
        /// Whether the library already has the digest of the file, so that it need not be computed.
        let isKnown: Bool
    }

    /// Prepares the computation of digests.
    ///
    /// - Parameter digests: the digests that have already been computed, by path. They are not computed again.
    init(_ digests: [FilePath: ContentDigest], token: CancellationToken) {
        self.digests = digests
        self.token = token
    }

    /// Computes the digests of files that look alike: they have the same size and the same first and last bytes. The
    /// files that were just read are compared with one another and with the library's files.
    mutating func add(_ files: [FolderWalk.File], _ outcomes: [HeadReading.Outcome], _ known: KnownFiles) {
        var groups: [SimilarityKey: [Member]] = [:]
        var samples: Set<UInt64> = []
        for (file, outcome) in zip(files, outcomes) {
            guard let photograph = outcome.reading, photograph.mark.sample != 0 else { continue }
            let key = SimilarityKey(byteCount: file.byteCount, sample: photograph.mark.sample)
            groups[key, default: []].append(Member(path: file.path, node: file.node, isKnown: false))
            samples.insert(photograph.mark.sample)
        }
        let read = Set(files.map(\.path))
        let rows = RowsByWord(known.snapshot, in: { $0.samples }, with: samples)
        for sample in samples {
            for row in rows[sample] {
                guard let path = known.path(of: row), !known.hasMoved(row), !read.contains(path) else { continue }
                let columns = known.snapshot.chunks[Chunk.index(of: row)].columns
                let byteCount = columns.originalFileSize(at: Chunk.slot(of: row))
                let member = Member(
                    path: path, node: known.mark(of: row).node, isKnown: known.digest(of: row) != nil)
                groups[SimilarityKey(byteCount: byteCount, sample: sample)]?.append(member)
            }
        }
        for (key, group) in groups.sorted(by: { $0.key.sample < $1.key.sample })
        where Set(group.map(\.node)).count > 1 {
            for member in group.sorted(by: { $0.path.precedes($1.path) }) where !member.isKnown {
                digest(member, key.byteCount)
            }
        }
    }

    private mutating func digest(_ member: Member, _ byteCount: Int) {
        if digests[member.path] != nil { return }
        if let digest = byNode[member.node] {
            digests[member.path] = digest
            return
        }
        guard byteCount <= byteBudget, let source = try? FileByteSource(path: member.path.text),
            source.byteCount == byteCount, let digest = try? ContentDigest(of: source, token: token)
        else { return }
        byteBudget -= byteCount
        byNode[member.node] = digest
        digests[member.path] = digest
    }
}
