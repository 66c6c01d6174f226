extension HuffmanTable {
    /// Makes the entries of a code's tables.
    struct EntryMaker {
        // What each sequence of 12 bits begins with.
        private let symbols: [HuffmanCode.Symbol]
        private let isAC: Bool
        /// Ones that the codes which want two entries begin with: in a JPEG's code the longest words are the highest.
        private let prefixLength: Int

        init(_ code: HuffmanCode, isAC: Bool) {
            let symbols = code.symbols(ofLengthUpTo: bits)
            self.symbols = symbols
            self.isAC = isAC
            // That by which most bits are found in two steps.
            prefixLength =
                (0...9).max { Self.escapes(behind: $0, symbols, isAC) < Self.escapes(behind: $1, symbols, isAC) } ?? 0
        }

        private static func escapes(behind prefixLength: Int, _ symbols: [HuffmanCode.Symbol], _ isAC: Bool) -> Int {
            let first = 1 << bits - 1 << (bits - prefixLength)
            return symbols[first...].lazy.map { isRemainder($0, behind: prefixLength, isAC) ? 1 : 0 }.reduce(0, +)
        }

        /// Whether a code with its extra bits is too long for one entry, but not without so many bits.
        private static func isRemainder(_ symbol: HuffmanCode.Symbol, behind prefixLength: Int, _ isAC: Bool) -> Bool {
            let length = symbol.length + (isAC ? symbol.value & 15 : symbol.value)
            return symbol.length > prefixLength && length > bits && length - prefixLength <= bits
        }

        private func entry(length: Int, advance: Int, value: Int = 0) -> UInt32 {
            UInt32(length) | UInt32(advance) << 8 | UInt32(UInt16(truncatingIfNeeded: value)) << 16
        }

        /// An entry for a sequence whose first code is not known from it, or not all of its extra bits.
        private func incomplete(_ index: Int) -> UInt32 {
            let prefix = index >> (bits - prefixLength)
            let escapes =
                prefix == 1 << prefixLength - 1 && Self.isRemainder(symbols[index], behind: prefixLength, isAC)
            return escapes ? entry(length: prefixLength, advance: escape) : isStuck | entry(length: 0, advance: stuck)
        }

        /// The code at a place within the bits, if it ends within them.
        private func code(at place: Int, of index: Int) -> HuffmanCode.Symbol? {
            let found = symbols[index << place & (1 << bits - 1)]
            return found.length > 0 && place + found.length <= bits ? found : nil
        }

        /// Extra bits that begin at a place within the bits, if they end within them.
        private func value(at place: Int, size: Int, of index: Int) -> Int? {
            guard place + size <= bits else { return nil }
            return HuffmanCode.extended(index >> (bits - place - size) & (1 << size - 1), size: size)
        }

        func difference(at index: Int) -> UInt32 {
            let symbol = symbols[index]
            guard symbol.length > 0, let value = value(at: symbol.length, size: symbol.value, of: index) else {
                return incomplete(index)
            }
            return entry(length: symbol.length + symbol.value, advance: 1, value: value)
        }

        func coefficient(at index: Int, withEnd: Bool) -> UInt32 {
            let symbol = symbols[index]
            guard symbol.length > 0 else { return incomplete(index) }
            let (run, size) = (symbol.value >> 4, symbol.value & 15)
            if size == 0 {
                // The place after an end is passed too, so that storing the coefficient that it does not have does no harm.
                return entry(length: symbol.length, advance: run == 15 ? 16 : ends + 1)
            }
            guard let value = value(at: symbol.length, size: size, of: index) else { return incomplete(index) }
            let place = symbol.length + size
            if withEnd, let next = code(at: place, of: index), next.value & 15 == 0, next.value != 0xF0 {
                return entry(length: place + next.length, advance: ends + run + 1, value: value)
            }
            return entry(length: place, advance: run + 1, value: value)
        }

        /// Extra bits need not be seen to be passed, so an entry may swallow more bits than it looks at: up to `longest`.
        func run(at index: Int) -> UInt32 {
            var place = 0
            var passed = 0
            while place < bits, let symbol = code(at: place, of: index) {
                let size = symbol.value & 15
                if size == 0, symbol.value != 0xF0 {
                    return entry(length: place + symbol.length, advance: ends + max(1, passed))
                }
                let further = passed + symbol.value >> 4 + 1
                guard further <= 64 - lastPlaces, place + symbol.length + size <= longest else { break }
                place += symbol.length + size
                passed = further
            }
            return place == 0 ? coefficient(at: index, withEnd: true) : entry(length: place, advance: passed)
        }

        /// The rest of a code that began with the prefix.
        func remainder(at index: Int) -> UInt32 {
            let symbol = symbols[((1 << prefixLength - 1) << bits | index) >> prefixLength]
            guard Self.isRemainder(symbol, behind: prefixLength, isAC) else {
                return isStuck | entry(length: 0, advance: stuck)
            }
            let size = isAC ? symbol.value & 15 : symbol.value
            let place = symbol.length - prefixLength
            let value = HuffmanCode.extended(index >> (bits - place - size) & (1 << size - 1), size: size)
            return entry(length: place + size, advance: isAC ? symbol.value >> 4 + 1 : 1, value: value)
        }
    }
}
