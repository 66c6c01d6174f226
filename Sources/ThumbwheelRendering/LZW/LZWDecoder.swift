/// A Lempel-Ziv-Welch stream with codes of up to twelve bits, as GIF (GIF89a, appendix F) and TIFF (TIFF 6.0, section 13) have
/// it, decoded piece by piece into one room.
///
/// The string of a code is that of an earlier code and one more symbol, and just these stand side by side in what has been
/// decoded. So the dictionary holds places and lengths, and a code's string is copied from the room to the room.
final class LZWDecoder<BitOrder: LZWBitOrder> {
    /// Why a call returned.
    enum Pause {
        /// All input is used up.
        case input
        /// The room is full; what the stream has beyond is dropped.
        case room
        /// The stream has ended.
        case complete
        /// There is a code without a meaning.
        case damaged

        var isFinal: Bool { self != .input }
    }

    /// Bits of the longest codes. The dictionary is full when it has all of them; it stays as it is until it is cleared.
    private static var longestWidth: Int { 12 }
    private static var codeCount: Int { 1 << longestWidth }
    /// Bytes that are copied at once.
    private static var stepByteCount: Int { 16 }
    /// In an entry of the dictionary, below the string's place: its length, which is at most `codeCount`.
    private static var lengthBits: UInt64 { 16 }

    /// Bytes of the room that are made, whatever the pause.
    private(set) var count = 0

    // The code that clears the dictionary, behind those of the symbols; the next one ends the stream.
    private let clear: Int
    private let early: Int
    // A place and a length by code, of the room but for symbols; one more, to be written when the dictionary is full.
    private let entries: UnsafeMutablePointer<UInt64>
    // Each symbol, as a room to copy from.
    private let symbols: UnsafeMutablePointer<UInt8>
    private var bits: UInt64 = 0
    private var bitCount = 0
    private var width = 0
    // The code that the last string and the next symbol are going to have; at first one without a meaning.
    private var next = 0
    private var lastPlace = 0
    private var lastLength = 0
    private var roomByteCount: Int?
    private var ending: Pause?

    /// - Parameters:
    ///   - symbolBits: bits of a symbol, 1 to 8.
    ///   - early: by how many codes too soon codes become longer: 1 in TIFF.
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

    /// Decodes until the input is used up or the room is full.
    ///
    /// - Parameter room: the same in all calls, with what they have made.
    /// - Returns: why it ended. A pause that is final comes again.
    func decode(_ input: UnsafeRawBufferPointer, into room: UnsafeMutableBufferPointer<UInt8>) -> Pause {
        precondition(roomByteCount == nil || roomByteCount == room.count)
        roomByteCount = room.count
        if let ending { return ending }
        var pause = Pause.input
        if room.isEmpty {
            pause = .room
        } else if let start = input.baseAddress, !input.isEmpty {
            pause = decode(start, start + input.count, room.baseAddress!, room.count)
        }
        if pause.isFinal { ending = pause }
        return pause
    }

    /// - Parameters:
    ///   - start: of the input, which is not empty.
    ///   - roomEnd: bytes of the room, at least 1.
    private func decode(
        _ start: UnsafeRawPointer, _ end: UnsafeRawPointer, _ room: UnsafeMutablePointer<UInt8>, _ roomEnd: Int
    ) -> Pause {
        // Properties would be loaded and stored at each use.
        let (clear, early, entries, symbols) = (clear, early, entries, symbols)
        var (bits, bitCount, width, next) = (bits, bitCount, width, next)
        var (place, lastPlace, lastLength) = (count, lastPlace, lastLength)
        defer {
            (self.bits, self.bitCount, self.width, self.next) = (bits, bitCount, width, next)
            (count, self.lastPlace, self.lastLength) = (place, lastPlace, lastLength)
        }
        // The code before which codes become longer.
        func bound() -> Int { width < Self.longestWidth ? 1 &<< width &- early : .max }
        var (input, widthEnd) = (start, bound())
        let wordsEnd = end - min(end - start, 7)
        let stepsEnd = roomEnd - Self.stepByteCount
        while true {
            if input < wordsEnd {
                let word = UInt64(littleEndian: input.loadUnaligned(as: UInt64.self))
                bits = BitOrder.adding(word, to: bits, behind: bitCount)
                // As many whole bytes as fit. The bits beyond are added again, the same ones.
                input += (63 &- bitCount) &>> 3
                bitCount |= 56
            } else {
                while bitCount <= 56, input < end {
                    bits = BitOrder.adding(UInt64(input.load(as: UInt8.self)), to: bits, behind: bitCount)
                    input += 1
                    bitCount += 8
                }
                if bitCount < width { return .input }
            }
            let code = BitOrder.code(bits, width: width)
            bits = BitOrder.rest(bits, width: width)
            bitCount &-= width
            // The new string ends with this code's first symbol, which is going to stand behind the last string.
            entries[next] = UInt64(truncatingIfNeeded: lastPlace) &<< Self.lengthBits | UInt64(lastLength &+ 1)
            if code &- clear < 2, code >= clear {
                if code > clear { return .complete }
                (width, next) = (clear.trailingZeroBitCount + 1, clear + 1)
                widthEnd = bound()
                continue
            }
            // Behind a clear code `next` is the end code, so that only symbols are left.
            guard code <= next else { return .damaged }
            let entry = entries[code]
            let length = Int(truncatingIfNeeded: entry & (1 &<< Self.lengthBits &- 1))
            let source = UnsafeRawPointer(code < clear ? symbols : room) + Int(entry &>> Self.lengthBits)
            let made = UnsafeMutableRawPointer(room + place)
            // A string begins at least its length before its copy. So steps never read what they have yet to write; but for
            // the last byte of the newest string, which is the copy's own first.
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
                    return .room
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
