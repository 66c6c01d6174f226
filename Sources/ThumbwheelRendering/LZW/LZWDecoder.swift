/// Decodes a Lempel-Ziv-Welch stream with codes of up to twelve bits, as in GIF (GIF89a, appendix F) and TIFF (TIFF
/// 6.0, section 13). The stream may come in several pieces. It is decoded into one output buffer, which the code calls
/// `room`.
///
/// Each code in the stream stands for a string of symbols. When a code is read, the dictionary gets a new entry: the
/// string of the previous code, followed by the first symbol of the present code's string. (The first code after a
/// clear code adds no entry.) The decoder has written these bytes side by side into the output buffer. So the
/// dictionary stores only the position and the length of each string in that buffer, and the decoder copies strings
/// from there.
final class LZWDecoder<BitOrder: LZWBitOrder> {
    /// The reason why a call of `decode` returned.
    enum Pause {
        /// All bytes of the input are used up.
        case endOfInput
        /// The output buffer is full; the rest of the stream is dropped.
        case outputFull
        /// The stream has ended with its end code.
        case complete
        /// The stream is damaged: it has a code without a meaning.
        case damaged

        var isFinal: Bool { self != .endOfInput }
    }

    /// The number of bits of the longest codes. Once every code of that length has an entry, the dictionary is full,
    /// and it stays unchanged until the next clear code.
    private static var longestWidth: Int { 12 }
    private static var codeCount: Int { 1 << longestWidth }
    /// The decoder copies a string in steps of this many bytes, from its earlier place in the output buffer to the end
    /// of the output.
    private static var stepByteCount: Int { 16 }
    /// The number of low bits of a dictionary entry that hold the length of a string. A string has at most `codeCount`
    /// bytes. The higher bits of the entry hold the string's position.
    private static var lengthBits: UInt64 { 16 }

    /// The number of decoded bytes in the output buffer, valid after each call of `decode`.
    private(set) var count = 0

    // The code that clears the dictionary. Smaller codes are symbols, and the code `clear + 1` ends the stream.
    private let clear: Int
    private let early: Int
    // For each code, the position of its string in the output buffer, and the string's length. For a code of a single
    // symbol, the position is an index into `symbols`. The last entry belongs to no code: it is written while the
    // dictionary is full, and never read.
    private let entries: UnsafeMutablePointer<UInt64>
    // The values of all symbols in rising order. A code that stands for a single symbol gets its byte from this array,
    // so that its string can be copied from memory like the longer strings of other codes.
    private let symbols: UnsafeMutablePointer<UInt8>
    private var bits: UInt64 = 0
    private var bitCount = 0
    private var width = 0
    // The code of the next dictionary entry. The entry will stand for the string that was decoded last, followed by one
    // more symbol. At the start and directly after a clear code, no such string exists. Then `next` is the end code,
    // whose entry is never used.
    private var next = 0
    private var lastPlace = 0
    private var lastLength = 0
    private var roomByteCount: Int?
    private var ending: Pause?

    /// Makes a decoder at the start of a stream.
    ///
    /// - Parameters:
    ///   - symbolBits: the number of bits of a symbol, 1 to 8.
    ///   - early: 1 if codes become one bit longer one code earlier than necessary, as in TIFF; else 0.
    init(symbolBits: Int, early: Int) {
        precondition(1...8 ~= symbolBits && 0...1 ~= early)
        clear = 1 << symbolBits
        self.early = early
        entries = .allocate(capacity: Self.codeCount + 1)
        entries.initialize(repeating: 0, count: Self.codeCount + 1)
        symbols = .allocate(capacity: clear + Self.stepByteCount)
        symbols.initialize(repeating: 0, count: clear + Self.stepByteCount)
        for symbol in 0..<clear {
            entries[symbol] = UInt64(symbol) << Self.lengthBits | 1
            symbols[symbol] = UInt8(symbol)
        }
        width = symbolBits + 1
        next = clear + 1
    }

    deinit {
        entries.deallocate()
        symbols.deallocate()
    }

    /// Decodes until the input is used up or the output buffer is full.
    ///
    /// - Parameter room: the output buffer. It must be the same in all calls, and the bytes that earlier calls wrote
    ///   must be unchanged.
    /// - Returns: the reason why decoding stopped. If it is any reason but `.endOfInput`, decoding cannot go on, and
    ///   every later call returns the same reason.
    func decode(_ input: UnsafeRawBufferPointer, into room: UnsafeMutableBufferPointer<UInt8>) -> Pause {
        precondition(roomByteCount == nil || roomByteCount == room.count)
        roomByteCount = room.count
        if let ending { return ending }
        var pause = Pause.endOfInput
        if room.isEmpty {
            pause = .outputFull
        } else if let start = input.baseAddress, !input.isEmpty {
            pause = decode(start, start + input.count, room.baseAddress!, room.count)
        }
        if pause.isFinal { ending = pause }
        return pause
    }

    /// Decodes until the input from `start` to `end` is used up or the output buffer `room` is full.
    ///
    /// - Parameters:
    ///   - start: the start of the input, which must not be empty.
    ///   - roomEnd: the size of the output buffer in bytes, at least 1.
    private func decode(
        _ start: UnsafeRawPointer, _ end: UnsafeRawPointer, _ room: UnsafeMutablePointer<UInt8>, _ roomEnd: Int
    ) -> Pause {
        // The loop works on local copies, because properties would be loaded and stored at each use.
        let (clear, early, entries, symbols) = (clear, early, entries, symbols)
        var (bits, bitCount, width, next) = (bits, bitCount, width, next)
        var (place, lastPlace, lastLength) = (count, lastPlace, lastLength)
        defer {
            (self.bits, self.bitCount, self.width, self.next) = (bits, bitCount, width, next)
            (count, self.lastPlace, self.lastLength) = (place, lastPlace, lastLength)
        }
        // Returns the value that `next` must reach before codes become one bit longer.
        func bound() -> Int { width < Self.longestWidth ? 1 &<< width &- early : .max }
        var (input, widthEnd) = (start, bound())
        let wordsEnd = end - min(end - start, 7)
        let stepsEnd = roomEnd - Self.stepByteCount
        while true {
            if input < wordsEnd {
                let word = UInt64(littleEndian: input.loadUnaligned(as: UInt64.self))
                bits = BitOrder.adding(word, to: bits, behind: bitCount)
                // The input advances only by the whole bytes that fit into `bits`. The word also puts some bits of the
                // next byte into `bits`, but that byte counts as not read. It is loaded once more at the next refill.
                // This does no harm, because the old and the new bits are equal, and are combined by OR.
                input += (63 &- bitCount) &>> 3
                bitCount |= 56
            } else {
                while bitCount <= 56, input < end {
                    bits = BitOrder.adding(UInt64(input.load(as: UInt8.self)), to: bits, behind: bitCount)
                    input += 1
                    bitCount += 8
                }
                if bitCount < width { return .endOfInput }
            }
            let code = BitOrder.code(bits, width: width)
            bits = BitOrder.rest(bits, width: width)
            bitCount &-= width
            // Makes the dictionary entry for the code `next`: the previous string, followed by the first symbol of the
            // present string. Both strings stand side by side in the output buffer. So the entry gets the previous
            // string's position, and its length plus 1. No bytes are copied.
            entries[next] = UInt64(truncatingIfNeeded: lastPlace) &<< Self.lengthBits | UInt64(lastLength &+ 1)
            if code &- clear < 2, code >= clear {
                if code > clear { return .complete }
                (width, next) = (clear.trailingZeroBitCount + 1, clear + 1)
                widthEnd = bound()
                continue
            }
            // A code above `next` has no dictionary entry, so the stream is damaged. This holds directly after a clear
            // code too: `next` is then the end code, and the dictionary has only the single symbols, whose codes are
            // smaller.
            guard code <= next else { return .damaged }
            let entry = entries[code]
            let length = Int(truncatingIfNeeded: entry & (1 &<< Self.lengthBits &- 1))
            let source = UnsafeRawPointer(code < clear ? symbols : room) + Int(entry &>> Self.lengthBits)
            let made = UnsafeMutableRawPointer(room + place)
            // Copies the code's string from the place where it was written earlier, in steps of 16 bytes if the buffer
            // has enough room. If the code is `next`, the last byte of its string has not been written yet. This byte
            // equals the string's first byte, and is stored after the copy.
            if place &+ length <= stepsEnd {
                made.storeBytes(of: source.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
                var offset = Self.stepByteCount
                while offset < length {
                    made.storeBytes(
                        of: source.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self),
                        toByteOffset: offset, as: SIMD16<UInt8>.self)
                    offset &+= Self.stepByteCount
                }
                if code == next { room[place &+ length &- 1] = room[place] }
            } else {
                let count = min(length, roomEnd - place)
                for offset in 0..<count {
                    room[place + offset] = source.load(fromByteOffset: offset, as: UInt8.self)
                }
                if place + count == roomEnd {
                    place = roomEnd
                    return .outputFull
                }
            }
            (lastPlace, lastLength) = (place, length)
            place &+= length
            if next < Self.codeCount {
                next &+= 1
                if next >= widthEnd {
                    width &+= 1
                    widthEnd = bound()
                }
            }
        }
    }
}
