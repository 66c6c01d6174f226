extension SingleScanTable {
    /// Makes the entries of a Huffman code's tables, one code word at a time. This has to be fast: if a file has tables
    /// of its own, decoding cannot begin before their entries are made.
    struct EntryMaker {
        private let isAC: Bool
        /// For each sequence of 12 bits, the code word at its start: the symbol in bits 0–7, the length in the bits
        /// above. The element is 0 if no code word of at most 12 bits is at the start.
        private let words: [UInt16]
        /// The number of bits that the first entry consumes if a long code word is decoded by two entries, one after
        /// the other. Only code words that begin with this many 1 bits are decoded so. The longest words of a JPEG's
        /// code have the highest values, so they begin with 1 bits.
        private let prefixLength: Int

        init(_ code: HuffmanCode, isAC: Bool) {
            self.isAC = isAC
            words = code.symbols(ofLengthUpTo: bits).map { UInt16($0.value | $0.length << 8) }
            // For each possible `prefixLength`, the number of 12-bit sequences that begin with an escape: a long code
            // word that two entries, one after the other, can decode. The `prefixLength` with the highest number is
            // chosen, because decoding is slow for a code word that even two entries cannot decode.
            var escapeCounts = Array(repeating: 0, count: 10)
            var index = 0
            while index < words.count, words[index] > 0 {
                let word = Word(words[index])
                let share = 1 << (bits - word.length)
                for prefixLength in escapeCounts.indices
                where index >= 1 << bits - 1 << (bits - prefixLength) && word.isRemainder(behind: prefixLength, isAC) {
                    escapeCounts[prefixLength] += share
                }
                index += share
            }
            prefixLength = escapeCounts.indices.max { escapeCounts[$0] < escapeCounts[$1] }!
        }

        /// The code word at the start of a sequence of 12 bits, given by its symbol and its length in bits.
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

            /// Whether two entries, one after the other, decode the code word and its extra bits. This is so if both
            /// conditions hold:
            /// - The word and its extra bits are together too long for one entry.
            /// - Without the first `prefixLength` bits, which the first entry consumes, they fit into the second entry.
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

        /// Decodes the extra bits that follow a code word in `index`, the 12 bits by which a table entry is found, and
        /// returns the coefficient or DC difference. There are `size` extra bits, and all must be among the 12 bits.
        /// The first one is bit `place`, counted from the top.
        @inline(__always)
        private func value(at place: Int, size: Int, of index: Int) -> Int {
            HuffmanCode.extended(index >> (bits - place - size) & (1 << size - 1), size: size)
        }

        /// Makes a table entry for 12 bits from which no coefficient can be decoded. Either no code word is at their
        /// start, or the word and its extra bits together are longer than 12 bits. If a second entry can decode the
        /// remaining bits, this entry consumes the first `prefixLength` bits. If not, it consumes nothing.
        private func incomplete(_ index: Int, _ word: Word) -> UInt32 {
            let escapes =
                index >> (bits - prefixLength) == 1 << prefixLength - 1 && word.isRemainder(behind: prefixLength, isAC)
            return escapes ? entry(length: prefixLength, advance: escape) : isStuck | entry(length: 0, advance: stuck)
        }

        /// Writes all parts of the table. Each part has `1 << bits` entries. An AC table has several parts, because an
        /// entry may decode fewer code words at some positions of a block than at others. The last part is for the
        /// second lookup of long code words.
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

        /// Writes the table entries for all 12-bit sequences that begin with one code word. Three parts of an AC table
        /// get an entry for each such sequence:
        /// - `first` is for coefficients whose values are needed. The entry decodes one code word. If an end of block
        ///   follows, the entry may consume it as well.
        /// - `second` is for coefficients whose values are not needed. The entry may skip several of them at once.
        /// - `third` is for the last positions of a block. The entry consumes only one code word.
        private func writeCoefficients(
            _ range: Range<Int>, _ word: Word, _ words: UnsafeBufferPointer<UInt16>,
            to entries: UnsafeMutablePointer<UInt32>
        ) {
            let (run, size) = (word.symbol >> 4, word.symbol & 15)
            let length = word.length + size
            let (secondPart, thirdPart) = (entries + 1 << bits, entries + 2 << bits)
            for index in range {
                var (first, second, third): (UInt32, UInt32, UInt32)
                if word.length == 0 || length > bits {
                    first = incomplete(index, word)
                    // The entry `second` skips a coefficient whose value is not needed. It may consume more than the 12
                    // bits by which it is found, because the coefficient's extra bits are skipped without being looked
                    // at.
                    second = word.length > 0 && length <= longest ? entry(length: length, advance: run + 1) : first
                    third = first
                } else if size == 0 {
                    // The entry for an end of block, or for a run of 16 zeros. The decoder stores a value for every
                    // entry, and for these entries the value is 0. At an end of block, it is stored in the block's next
                    // coefficient, which is 0 anyway. So the entry advances by 1 for that coefficient. `ends` is added
                    // to mark the end of the block.
                    first = entry(length: length, advance: word.isEnd ? ends + 1 : 16)
                    second = word.isEnd ? first : passed(index, words, from: length, 16)
                    // From the position `lastPlaces` on, at most 16 coefficients of the block are left. So a run of 16
                    // zeros completes the block, and its entry is marked as an end of block. A run that goes beyond the
                    // block is accepted, as libjpeg does.
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
                (secondPart + index).initialize(to: second)
                (thirdPart + index).initialize(to: third)
            }
        }

        /// Makes a table entry that skips coefficients whose values are not needed. It skips all coefficients whose
        /// code words lie completely within the 12 bits by which the entry is found. The extra bits of the last code
        /// word may lie beyond these bits. But the entry consumes at most `longest` bits.
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
