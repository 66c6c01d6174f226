/// The blocks of a file that were fetched last. Of a file that comes in parts, a mebibyte is kept, so that a file of any length
/// can be read through. A file that came as a whole is kept as a whole, because its server would send all of it again.
struct KeptBlocks {
    private static let limitOfParts = 16

    private let limit: Int
    /// The bytes of the blocks by their numbers.
    private(set) var blocks: [Int: ArraySlice<UInt8>] = [:]
    /// The numbers of the blocks, oldest first.
    private var order: [Int] = []

    init(_ blocks: [Int: ArraySlice<UInt8>], areWhole: Bool) {
        limit = areWhole ? .max : Self.limitOfParts
        add(blocks)
    }

    mutating func add(_ new: [Int: ArraySlice<UInt8>]) {
        for (number, block) in new.sorted(by: { $0.key < $1.key }) where blocks[number] == nil {
            // A copy, because a slice would keep all bytes of its transfer alive.
            blocks[number] = ArraySlice(Array(block))
            order.append(number)
        }
        let surplus = max(0, order.count - limit)
        for number in order.prefix(surplus) { blocks[number] = nil }
        order.removeFirst(surplus)
    }
}
