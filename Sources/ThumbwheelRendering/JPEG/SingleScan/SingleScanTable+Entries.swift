extension SingleScanTable {
    /// Makes the entries of a Huffman code's tables, one code word at a time. This has to be fast: if a file has tables
    /// of its own, decoding cannot begin before their entries are made.
    struct EntryMaker {
        private let isAC: Bool
        /// For each sequence of 12 bits, the symbol of the code word with which the sequence begins (bits 0–7) and the
        /// length of that word (the higher bits). 0 if the word is longer than 12 bits, or if there is no such word.
        private let words: [UInt16]
        /// The number of bits that the first entry consumes if a code word is decoded by two entries. All these bits
        /// are 1: in a JPEG's code, the longest words have the highest values, so they all begin with 1 bits.
        private let prefixLength: Int

        init(_ code: HuffmanCode, isAC: Bool) {
            self.isAC = isAC
            words = code.symbols(ofLengthUpTo: bits).map { UInt16($0.value | $0.length << 8) }
            // For each possible value of `prefixLength`, this counts the 12-bit sequences whose first code word would
            // be decoded by two entries. The value with the highest count is chosen.
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

        /// The code word with which a sequence of 12 bits begins: its symbol, and its length in bits.
        private struct Word {
            let symbol: Int
            let length: Int

            @inline(__always)
            init(_ word: UInt16) {
                symbol = Int(word & 255)
                length = Int(word >> 8)
            }

            /// The number of extra bits after the code word.
            @inline(__always)
            func size(_ isAC: Bool) -> Int { isAC ? symbol & 15 : symbol }

            /// Whether the code word needs two entries and can be decoded by two. The word with its extra bits must be
            /// too long for one entry. But it must fit into an entry without its first `prefixLength` bits, which
            /// another entry consumes.
            @inline(__always)
            func isRemainder(behind prefixLength: Int, _ isAC: Bool) -> Bool {
                let length = length + size(isAC)
                return self.length > prefixLength && length > bits && length - prefixLength <= bits
            }

            /// Whether the code word ends a block.
            var isEnd: Bool { length > 0 && symbol & 15 == 0 && symbol != 0xF0 }
        }

        @inline(__always)
        private func entry(length: Int, advance: Int, value: Int = 0) -> UInt32 {
            UInt32(truncatingIfNeeded: length) | UInt32(truncatingIfNeeded: advance) << 8
                | UInt32(UInt16(truncatingIfNeeded: value)) << 16
        }

        /// Returns the coefficient or DC difference that is coded by `size` extra bits in a 12-bit index. The first
        /// extra bit is bit `place` of the index, counted from the top. All extra bits must lie in the index.
        @inline(__always)
        private func value(at place: Int, size: Int, of index: Int) -> Int {
            HuffmanCode.extended(index >> (bits - place - size) & (1 << size - 1), size: size)
        }

        /// Makes a table entry for a sequence of 12 bits that is too short for its first code word, or begins with no
        /// code word. It is too short if the word's end, or the end of the extra bits after the word, lies beyond the
        /// 12 bits. If a second entry can decode the remaining bits, the entry consumes the first `prefixLength` bits.
        /// Otherwise it consumes nothing.
        private func incomplete(_ index: Int, _ word: Word) -> UInt32 {
            let escapes =
                index >> (bits - prefixLength) == 1 << prefixLength - 1 && word.isRemainder(behind: prefixLength, isAC)
            return escapes ? entry(length: prefixLength, advance: escape) : isStuck | entry(length: 0, advance: stuck)
        }

        /// Writes all parts of the table. Each part has `1 << bits` entries, and serves some positions of a block.
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

        /// Writes the table entries for all 12-bit sequences that begin with one code word. Each of three parts of an
        /// AC table gets its own entry for such a sequence:
        /// - `first`, for wanted coefficients: the entry decodes one code word, and may also consume the end of the
        ///   block after it.
        /// - `second`, for unwanted coefficients: the entry may consume several codes, and skips their coefficients.
        /// - `third`, for the last positions of a block: the entry consumes only one code word.
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
                    // An entry that skips an unwanted coefficient may consume more than the 12 bits of the index. The
                    // coefficient's extra bits may lie beyond the index, because the reader skips them without looking
                    // at them.
                    second = word.length > 0 && length <= longest ? entry(length: length, advance: run + 1) : first
                    third = first
                } else if size == 0 {
                    // The reader stores a value for every entry. For an end of block, the value is 0. It goes to the
                    // block's next coefficient, which has the value 0 anyway. To reach that coefficient, the entry
                    // advances by 1 in addition to `ends`.
                    first = entry(length: length, advance: word.isEnd ? ends + 1 : 16)
                    second = word.isEnd ? first : passed(index, words, from: length, 16)
                    // From the position `lastPlaces` on, at most 16 coefficients of the block are left. So this entry
                    // ends the block after a run of 16 zeros. A run that goes beyond the block's end is no error, as in
                    // libjpeg.
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

        /// Makes a table entry that skips unwanted coefficients: those whose code words lie completely within the 12
        /// bits of an index. The extra bits of the last code word may lie beyond the index, but the entry consumes at
        /// most `longest` bits.
        ///
        /// - Parameters:
        ///   - place: the number of bits of the first code word and its extra bits.
        ///   - count: the number of coefficients by which the first code word advances.
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

        /// Makes a table entry for the rest of a code word whose first `prefixLength` bits have been consumed.
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
