/// A stable radix sort. The key of an item is a range of bits in one word of the item. The items are sorted by one
/// digit of the key after another, beginning with the lowest digit.
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
            // These loops use pointers, because they take nearly all the time of a sorted fetch. The indexes are in
            // range: each digit of a key is less than `digits`, and the items were counted before they are placed.
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
