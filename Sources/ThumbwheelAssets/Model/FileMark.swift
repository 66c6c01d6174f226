import ThumbwheelCore

/// Two digests by which an import recognizes a file under another path. The import first looks for an asset with the
/// same `node`, size and modification date. If there is none, it looks for an asset with the same `sample` and size.
/// The size and the date are stored in other columns.
struct FileMark: Sendable, Equatable, BitwiseCopyable {
    /// A digest of the file's device number and inode number; 0 if these are not known.
    var node: UInt64 = 0
    /// A digest of the file's first and last bytes; 0 if these are not known.
    var sample: UInt64 = 0

    /// The number of bytes at each end of a file from which the sample (a digest) is computed.
    private static let sampledByteCount = 4096
    /// The greatest length of a file, in bytes, at which the sample is a digest of the whole file.
    static let completeByteCount = 2 * sampledByteCount

    /// Computes the sample of a file (a digest of its first and last bytes); 0 if the file cannot be read. A short
    /// file, of at most twice `sampledByteCount` bytes, is read as a whole.
    static func sample(of source: FileByteSource) -> UInt64 {
        let count = min(source.byteCount, 2 * sampledByteCount)
        let digest = withUnsafeTemporaryAllocation(byteCount: max(1, count), alignment: 16) { buffer -> UInt64? in
            let buffer = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
            let head = UnsafeMutableRawBufferPointer(rebasing: buffer[..<(count - count / 2)])
            let tail = UnsafeMutableRawBufferPointer(rebasing: buffer[head.count...])
            guard let headCount = try? source.read(into: head, at: 0), headCount == head.count,
                let tailCount = try? source.read(into: tail, at: source.byteCount - tail.count),
                tailCount == tail.count
            else { return nil }
            return XXHash64.digest(UnsafeRawBufferPointer(buffer))
        }
        // Zero is never used as a sample (a digest of bytes), because it means that there is no sample.
        return digest.map { max(1, $0) } ?? 0
    }
}

extension FileStatus.Identity {
    /// The device number and the inode number, combined into one word, which is never 0. Two files may have the same
    /// word by chance, so sizes and dates have to be compared too.
    var word: UInt64 {
        var word = node &+ device &* 0x9E37_79B9_7F4A_7C15
        word = (word ^ word &>> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word &>> 27) &* 0x94D0_49BB_1331_11EB
        return max(1, word ^ word &>> 31)
    }
}
