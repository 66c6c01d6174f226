import ThumbwheelCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Looks for fragments that would fill the memory. libavformat makes an entry for each sample that a run of samples
/// (`trun`) states, before it reads any further. A run of samples that are all alike states nothing but their number,
/// so that a few bytes are enough for any number of entries.
///
/// The guard looks at all bytes on their way to libavformat, so it finds each run before libavformat does. Frames may
/// contain the same bytes by chance. So a run that is found counts only if it lies outside the media data.
struct FragmentGuard {
    /// The largest number of samples in such a run.
    private let limit: Int
    /// The last bytes that were looked at, in which a run may begin that goes on in the next ones.
    private var tail: [UInt8] = []
    private var tailEnd = -1

    /// The characters `trun`.
    private static let kind = 0x7472_756E
    /// The kind, the version and the flags, and the number of samples.
    private static let runLength = 12
    /// The flags of facts that are stated for each sample.
    private static let sampleFlags = 0xF00

    init(limit: Int) { self.limit = limit }

    /// Looks at the bytes that have been read at a position.
    ///
    /// - Returns: whether they hold a run of too many samples.
    mutating func finds(_ bytes: UnsafeRawBufferPointer, at position: Int, of source: any ByteSource) -> Bool {
        let joined = tailEnd == position ? tail + bytes.prefix(Self.runLength - 1) : []
        let joinedStart = position - tail.count
        let kept = (tailEnd == position ? tail : []) + bytes.suffix(Self.runLength - 1)
        (tail, tailEnd) = (Array(kept.suffix(Self.runLength - 1)), position + bytes.count)
        let isFound = joined.withUnsafeBytes { isSuspicious($0, at: joinedStart, of: source) }
        return isFound || isSuspicious(bytes, at: position, of: source)
    }

    private func isSuspicious(_ bytes: UnsafeRawBufferPointer, at position: Int, of source: any ByteSource) -> Bool {
        var place = 0
        while bytes.count - place >= Self.runLength, let base = bytes.baseAddress,
            let found = memchr(base + place, Int32(UInt8(ascii: "t")), bytes.count - place - Self.runLength + 1)
        {
            place = UnsafeRawPointer(found) - base
            func integer(_ offset: Int) -> Int {
                Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place + offset, as: UInt32.self)))
            }
            if integer(0) == Self.kind, integer(4) & Self.sampleFlags == 0, integer(8) > limit,
                !Self.liesInMedia(position + place, of: source)
            {
                return true
            }
            place += 1
        }
        return false
    }

    /// Whether a place lies in a box of media data (`mdat`). The boxes are followed from the beginning of the file,
    /// which happens once in some billions of bytes by chance.
    private static func liesInMedia(_ place: Int, of source: any ByteSource) -> Bool {
        var start = 0
        while start <= place {
            guard let header = try? source.bytes(in: start..<min(start + 16, source.byteCount)), header.count >= 8
            else { return false }
            func integer(_ bytes: ArraySlice<UInt8>) -> Int {
                Int(clamping: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
            }
            var length = integer(header[0..<4])
            if length == 1, header.count == 16 { length = integer(header[8...]) }
            if length == 0 { length = source.byteCount - start }
            let (end, overflows) = start.addingReportingOverflow(length)
            guard length >= 8, !overflows else { return false }
            if place < end { return header[4..<8].elementsEqual("mdat".utf8) }
            start = end
        }
        return false
    }
}
