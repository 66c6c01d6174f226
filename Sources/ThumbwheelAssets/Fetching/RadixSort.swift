/// A stable radix sort by some bits of a word, which starts with the lowest digit.
enum RadixSort {
    private static let digitWidth = 11

    @inline(__always)
    static func sort<Item>(_ items: inout [Item], fromBit start: Int, bitCount: Int, by word: (Item) -> UInt64) {
        guard items.count > 1 else { return }
        var spare = items
        let digits = 1 << digitWidth
        var bit = start
        while bit < start + bitCount {
            let width = min(digitWidth, start + bitCount - bit)
            let (shift, mask) = (UInt64(bit), UInt64(1) << UInt64(width) - 1)
            var places = [Int](repeating: 0, count: digits)
            // The loop uses pointers, because a sorted fetch spends nearly all its time here. The indexes are safe,
            // because every index is a digit that was counted.
            items.withUnsafeBufferPointer { items in
                spare.withUnsafeMutableBufferPointer { spare in
                    places.withUnsafeMutableBufferPointer { places in
                        for index in 0..<items.count { places[Int(word(items[index]) >> shift & mask)] += 1 }
                        var sum = 0
                        for digit in 0..<digits {
                            let count = places[digit]
                            places[digit] = sum
                            sum += count
                        }
                        for index in 0..<items.count {
                            let digit = Int(word(items[index]) >> shift & mask)
                            spare[places[digit]] = items[index]
                            places[digit] &+= 1
                        }
                    }
                }
            }
            swap(&items, &spare)
            bit += width
        }
    }
}
