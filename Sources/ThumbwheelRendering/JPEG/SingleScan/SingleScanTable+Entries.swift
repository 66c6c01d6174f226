extension SingleScanTable {
    /// Makes the entries of a code's tables, code by code: files with tables of their own wait for it.
    struct EntryMaker {
        private let isAC: Bool
        /// What each sequence of 12 bits begins with: a symbol, above it its code's length; 0 where the code is longer, or there
        /// is none.
        private let words: [UInt16]
        /// Ones that the codes which want two entries begin with: in a JPEG's code the longest words are the highest.
        private let prefixLength: Int

        init(_ code: HuffmanCode, isAC: Bool) {
            self.isAC = isAC
            words = code.symbols(ofLengthUpTo: bits).map { UInt16($0.value | $0.length << 8) }
            // That by which most bits are found in two steps.
            var escapes = Array(repeating: 0, count: 10)
            var index = 0
            while index < words.count, words[index] > 0 {
                let word = Word(words[index])
                let share = 1 << (bits - word.length)
                for prefixLength in escapes.indices
                where index >= 1 << bits - 1 << (bits - prefixLength) && word.isRemainder(behind: prefixLength, isAC) {
                    escapes[prefixLength] += share
                }
                index += share
            }
            prefixLength = escapes.indices.max { escapes[$0] < escapes[$1] }!
        }

        /// What 12 bits begin with.
        private struct Word {
            let symbol: Int
            let length: Int

            @inline(__always)
            init(_ word: UInt16) {
                symbol = Int(word & 255)
                length = Int(word >> 8)
            }

            /// Extra bits behind the code.
            @inline(__always)
            func size(_ isAC: Bool) -> Int { isAC ? symbol & 15 : symbol }

            /// Whether the code with its extra bits is too long for one entry, but not without so many bits.
            @inline(__always)
            func isRemainder(behind prefixLength: Int, _ isAC: Bool) -> Bool {
                let length = length + size(isAC)
                return self.length > prefixLength && length > bits && length - prefixLength <= bits
            }

            /// Whether it ends a block.
            var isEnd: Bool { length > 0 && symbol & 15 == 0 && symbol != 0xF0 }
        }

        @inline(__always)
        private func entry(length: Int, advance: Int, value: Int = 0) -> UInt32 {
            UInt32(truncatingIfNeeded: length) | UInt32(truncatingIfNeeded: advance) << 8
                | UInt32(UInt16(truncatingIfNeeded: value)) << 16
        }

        /// Extra bits that end within the 12 of an index.
        @inline(__always)
        private func value(at place: Int, size: Int, of index: Int) -> Int {
            HuffmanCode.extended(index >> (bits - place - size) & (1 << size - 1), size: size)
        }

        /// An entry for a sequence whose first code is not known from it, or not all of its extra bits.
        private func incomplete(_ index: Int, _ word: Word) -> UInt32 {
            let escapes =
                index >> (bits - prefixLength) == 1 << prefixLength - 1 && word.isRemainder(behind: prefixLength, isAC)
            return escapes ? entry(length: prefixLength, advance: escape) : isStuck | entry(length: 0, advance: stuck)
        }

        /// Writes all parts of a table, `1 << bits` entries each.
        func write(to entries: UnsafeMutablePointer<UInt32>) {
            words.withUnsafeBufferPointer { words in
                var index = 0
                while index < words.count {
                    let word = Word(words[index])
                    let end = index + (word.length > 0 ? 1 << (bits - word.length) : 1)
                    if isAC {
                        writeCoefficients(index..<end, word, words, to: entries)
                    } else {
                        writeDifferences(index..<end, word, to: entries)
                    }
                    index = end
                }
                let remainders = entries + (isAC ? 3 : 1) << bits
                for index in 0..<words.count {
                    (remainders + index).initialize(to: remainder(at: index, words))
                }
            }
        }

        private func writeDifferences(_ range: Range<Int>, _ word: Word, to entries: UnsafeMutablePointer<UInt32>) {
            let length = word.length + word.symbol
            for index in range {
                let entry =
                    word.length > 0 && length <= bits
                    ? entry(length: length, advance: 1, value: value(at: word.length, size: word.symbol, of: index))
                    : incomplete(index, word)
                (entries + index).initialize(to: entry)
            }
        }

        /// Of an AC code, the parts for coefficients: with an end behind them, passed without being wanted, and alone.
        private func writeCoefficients(
            _ range: Range<Int>, _ word: Word, _ words: UnsafeBufferPointer<UInt16>,
            to entries: UnsafeMutablePointer<UInt32>
        ) {
            let (run, size) = (word.symbol >> 4, word.symbol & 15)
            let length = word.length + size
            let (passing, alone) = (entries + 1 << bits, entries + 2 << bits)
            for index in range {
                var (first, second, third): (UInt32, UInt32, UInt32)
                if word.length == 0 || length > bits {
                    first = incomplete(index, word)
                    // Extra bits need not be seen to be passed, so an entry may swallow more bits than it looks at.
                    second = word.length > 0 && length <= longest ? entry(length: length, advance: run + 1) : first
                    third = first
                } else if size == 0 {
                    // The place after an end is passed too, so that storing the coefficient that it does not have does no harm.
                    first = entry(length: length, advance: word.isEnd ? ends + 1 : 16)
                    second = word.isEnd ? first : passed(index, words, from: length, 16)
                    // From the last places on, the rest of the block is no longer than a run of 16 zeros. Such a run
                    // ends the block even if it reaches beyond the end, as in libjpeg.
                    third = entry(length: length, advance: ends + 1)
                } else {
                    let value = value(at: word.length, size: size, of: index)
                    let next = Word(words[index << length & (1 << bits - 1)])
                    third = entry(length: length, advance: run + 1, value: value)
                    first =
                        next.isEnd && length + next.length <= bits
                        ? entry(length: length + next.length, advance: ends + run + 1, value: value) : third
                    second = passed(index, words, from: length, run + 1)
                }
                (entries + index).initialize(to: first)
                (passing + index).initialize(to: second)
                (alone + index).initialize(to: third)
            }
        }

        /// An entry that passes as many coefficients as the bits tell, up to `longest` bits.
        @inline(__always)
        private func passed(
            _ index: Int, _ words: UnsafeBufferPointer<UInt16>, from place: Int, _ count: Int
        ) -> UInt32 {
            var (place, count) = (place, count)
            while place < bits {
                let word = Word(words[index << place & (1 << bits - 1)])
                guard word.length > 0, place + word.length <= bits else { break }
                if word.isEnd { return entry(length: place + word.length, advance: ends + count) }
                let length = place + word.length + word.symbol & 15
                let further = count + word.symbol >> 4 + 1
                guard further <= 64 - lastPlaces, length <= longest else { break }
                (place, count) = (length, further)
            }
            return entry(length: place, advance: count)
        }

        /// The rest of a code that began with the prefix.
        private func remainder(at index: Int, _ words: UnsafeBufferPointer<UInt16>) -> UInt32 {
            let word = Word(words[((1 << prefixLength - 1) << bits | index) >> prefixLength])
            guard word.isRemainder(behind: prefixLength, isAC) else {
                return isStuck | entry(length: 0, advance: stuck)
            }
            let place = word.length - prefixLength
            let size = word.size(isAC)
            return entry(
                length: place + size, advance: isAC ? word.symbol >> 4 + 1 : 1,
                value: value(at: place, size: size, of: index))
        }
    }
}
