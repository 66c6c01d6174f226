/// Stores groups of eight numbers one after the other, each group with as few bits per number as its largest number
/// needs. The caller's memory must have room for a whole 64-bit word after the last group.
struct GroupWriter {
    private let target: UnsafeMutableRawPointer
    private(set) var count = 0

    init(_ target: UnsafeMutableBufferPointer<UInt8>) {
        self.target = UnsafeMutableRawPointer(target.baseAddress!)
    }

    @inline(__always)
    mutating func write(_ group: UnsafePointer<UInt8>) {
        var all: UInt8 = 0
        for index in 0..<PackedBitmap.groupLength { all |= group[index] }
        let bits = 8 - all.leadingZeroBitCount
        var word: UInt64 = 0
        for index in 0..<PackedBitmap.groupLength { word |= UInt64(group[index]) &<< UInt64(index * bits) }
        target.storeBytes(of: UInt8(bits), toByteOffset: count, as: UInt8.self)
        // Stores 8 bytes, even if the group needs fewer. The next group overwrites the surplus bytes.
        target.storeBytes(of: word.littleEndian, toByteOffset: count + 1, as: UInt64.self)
        count += 1 + bits
    }
}
