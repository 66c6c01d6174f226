/// Writes decoded data to the caller's buffers: copies the literals, and repeats earlier bytes for the matches. Lanes,
/// the parallel decoders of a deflate block, have decoded these literals and matches.
final class InflateOutput {
    /// The largest distance of a match, in bytes.
    static let windowByteCount = 32 << 10
    /// The number of bytes that may be overwritten after the end of a copy. Literals and matches are copied in whole
    /// vectors, so a copy may write more bytes than it has to.
    private static let slack = 64

    let lanes = InflateLanes()
    // The last bytes that were written to earlier buffers. Matches in the current buffer can repeat them.
    private let history = UnsafeMutableRawPointer.allocate(byteCount: 2 * windowByteCount, alignment: 64)
    private var historyCount = 0
    // The lane whose matches are being written.
    private var lane = 0
    // The index of the next match to write, among the matches of the lane with the index `lane`.
    private var match = 0
    // The address of the next literal to write.
    private var literals: UnsafePointer<UInt8>
    // The number of literals that are still to be written before the current match.
    private var literalCount = 0
    // The number of bytes that are still to be repeated for the current match.
    private var length = 0
    // The number of bytes from the current match back to the bytes that it repeats.
    private var distance = 0

    init() {
        literals = lanes.literals(ofLane: 0)
    }

    deinit {
        history.deallocate()
    }

    /// Whether some of the decoded literals and matches have not been written yet, because the output buffer is full.
    var isPending: Bool { literalCount > 0 || length > 0 || lane < lanes.count }

    /// The end of the output that was passed to `keep`, at most 32 KiB: matches reach back no farther.
    var lastBytes: UnsafeRawBufferPointer {
        let count = min(historyCount, Self.windowByteCount)
        return UnsafeRawBufferPointer(start: history + (historyCount - count), count: count)
    }

    /// Prepares to write the literals and matches that the last call of `lanes.decode` has found.
    func begin() {
        (lane, match) = (0, 0)
        literals = lanes.literals(ofLane: 0)
    }

    /// Writes literals and matches to a buffer until the buffer is full or nothing is left.
    ///
    /// - Parameter count: the number of bytes in the buffer that have been written. It is increased by the number of
    ///   bytes that this call writes.
    /// - Returns: false if a match reaches back before the first byte of the stream.
    func write(into room: UnsafeMutableRawBufferPointer, after count: inout Int) -> Bool {
        guard let start = room.baseAddress else { return true }
        while count < room.count, isPending {
            if literalCount > 0 {
                let part = min(literalCount, room.count - count)
                (start + count).copyMemory(from: literals, byteCount: part)
                literals += part
                literalCount -= part
                count += part
            } else if length > 0 {
                guard distance <= count + historyCount else { return false }
                let part = min(length, room.count - count)
                repeatBytes(part, in: start, after: count)
                length -= part
                count += part
            } else {
                writeWhole(room, after: &count)
                beginNext()
            }
        }
        return true
    }

    private func beginNext() {
        let matches = lanes.matches(ofLane: lane)
        if match < matches.count {
            let next = matches[match]
            (literalCount, length, distance) = (Int(next.literalCount), Int(next.length), Int(next.distance))
            match += 1
        } else {
            (lane, match) = (lane + 1, 0)
            if lane < lanes.count { literals = lanes.literals(ofLane: lane) }
        }
    }

    /// Writes the matches of one lane in a fast loop, each match with the literals before it. The loop stops near the
    /// end of the buffer, and before a match that repeats bytes of an earlier buffer. `write`, the caller of this
    /// function, then handles that match.
    private func writeWhole(_ room: UnsafeMutableRawBufferPointer, after count: inout Int) {
        let matches = lanes.matches(ofLane: lane)
        guard let start = room.baseAddress, let first = matches.baseAddress else { return }
        var source = UnsafeRawPointer(literals)
        var next = first + match
        let end = first + matches.count
        var target = start + count
        let limit = start + (room.count - Self.slack)
        while next < end {
            let (literalCount, length) = (Int(next.pointee.literalCount), Int(next.pointee.length))
            let distance = Int(next.pointee.distance)
            let after = target + literalCount
            guard after + length <= limit, distance <= after - start else { break }
            // Most runs of literals and most matches are short. So a fixed number of bytes is copied first, even if
            // fewer bytes are needed. A loop whose end the processor cannot predict would take longer.
            Self.copy(source, target, as: SIMD16<UInt8>.self)
            if literalCount > 16 {
                Self.copy(source + 16, target + 16, as: SIMD16<UInt8>.self)
                Self.copy(source + 32, target + 32, as: SIMD16<UInt8>.self)
                if literalCount > 48 {
                    (target + 48).copyMemory(from: source + 48, byteCount: literalCount - 48)
                }
            }
            source += literalCount
            target = after
            if distance >= 8 {
                let from = target - distance
                Self.copy(from, target, as: UInt64.self)
                Self.copy(from + 8, target + 8, as: UInt64.self)
                if length > 16 {
                    var place = 16
                    repeat {
                        Self.copy(from + place, target + place, as: UInt64.self)
                        place &+= 8
                    } while place < length
                }
            } else {
                Self.repeatPattern(of: distance, before: target, count: length)
            }
            target += length
            next += 1
        }
        match = next - first
        literals = source.assumingMemoryBound(to: UInt8.self)
        count = target - start
    }

    @inline(__always)
    private static func copy<Step: BitwiseCopyable>(
        _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, as step: Step.Type
    ) {
        target.storeBytes(of: source.loadUnaligned(as: Step.self), as: Step.self)
    }

    /// Repeats the last `distance` bytes before `target` until at least `count` bytes are written. The distance must be
    /// below 8. Whole words of 8 bytes are written, and at least two words. So some bytes after the first `count` may
    /// be overwritten.
    @inline(__always)
    private static func repeatPattern(of distance: Int, before target: UnsafeMutableRawPointer, count: Int) {
        guard distance > 0 else { return }
        var word = (target - distance).loadUnaligned(as: UInt64.self).littleEndian
        // Keeps only the `distance` bytes that are repeated, in the low end of the word. Then the three lines that
        // begin with `word |=` fill the whole word with copies of these bytes. They suit every distance from 1 to 7: a
        // shift by 64 bits or more gives 0, which changes nothing.
        word &= 1 << UInt64(8 * distance) - 1
        word |= word << UInt64(8 * distance)
        word |= word << UInt64(16 * distance)
        word |= word << UInt64(32 * distance)
        // The total length in bytes of the whole patterns that fit into a word of 8 bytes. Each word is written this
        // many bytes after the word before it, so that the pattern continues without a gap.
        let step = 8 / distance * distance
        target.storeBytes(of: word.littleEndian, as: UInt64.self)
        (target + step).storeBytes(of: word.littleEndian, as: UInt64.self)
        var place = 2 * step
        while place < count {
            (target + place).storeBytes(of: word.littleEndian, as: UInt64.self)
            place &+= step
        }
    }

    /// Writes a part of a match: repeats the bytes that lie `distance` bytes back. Before the call, `count` bytes of
    /// the buffer have been written. If the repeated bytes begin before the buffer, these bytes are taken from the
    /// history, which holds the last bytes of earlier buffers.
    private func repeatBytes(_ byteCount: Int, in start: UnsafeMutableRawPointer, after count: Int) {
        let before = max(0, min(byteCount, distance - count))
        if before > 0 {
            (start + count).copyMemory(from: history + (historyCount + count - distance), byteCount: before)
        }
        for place in count + before..<count + byteCount {
            start.storeBytes(
                of: start.load(fromByteOffset: place - distance, as: UInt8.self), toByteOffset: place, as: UInt8.self)
        }
    }

    /// Copies the last bytes of a buffer to the history before the buffer is given back to the caller.
    func keep(_ bytes: UnsafeRawBufferPointer) {
        let window = Self.windowByteCount
        guard let start = bytes.baseAddress, bytes.count > 0 else { return }
        if bytes.count >= window {
            history.copyMemory(from: start + (bytes.count - window), byteCount: window)
            historyCount = window
            return
        }
        if historyCount + bytes.count > 2 * window {
            history.copyMemory(from: history + (historyCount - window), byteCount: window)
            historyCount = window
        }
        (history + historyCount).copyMemory(from: start, byteCount: bytes.count)
        historyCount += bytes.count
    }
}
