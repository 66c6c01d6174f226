import CISAL

/// The record in front of each value in a segment file: the value's key, length, cost and checksum.
///
/// All numbers are little-endian:
///
/// | offset | bytes | field |
/// | --- | --- | --- |
/// | 0 | 4 | a fixed number that marks a record |
/// | 4 | 4 | the length of the value in bytes |
/// | 8 | 16 | the key |
/// | 24 | 4 | the cost in microseconds |
/// | 28 | 4 | 1 for a negative value (a note that something cannot be made), else 0 |
/// | 32 | 8 | the CRC-64 of key, length, cost, the negative flag and the value |
struct SegmentRecord: Equatable {
    let key: StoreKey
    let length: Int
    let cost: UInt32
    let isNegative: Bool
    private let checksum: UInt64

    static let byteCount = 40
    /// The length of the longest value, in bytes.
    static let lengthLimit = 64 << 20
    private static let mark: UInt32 = 0x3156_5754

    init(_ value: StoredValue, for key: StoreKey) {
        (self.key, length, cost, isNegative) = (key, value.bytes.count, value.cost, value.isNegative)
        checksum = Self.checksum(key, value)
    }

    /// Reads a record; nil if the bytes are no record.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.byteCount else { return nil }
        func word(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        func half(_ offset: Int) -> UInt32 {
            UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
        guard half(0) == Self.mark, half(4) <= UInt32(Self.lengthLimit), half(28) <= 1 else { return nil }
        length = Int(half(4))
        key = StoreKey(high: word(8), low: word(16))
        cost = half(24)
        isNegative = half(28) == 1
        checksum = word(32)
    }

    /// Makes the value from its bytes; nil if the checksum is wrong.
    func value(_ bytes: [UInt8]) -> StoredValue? {
        let value = StoredValue(bytes, cost: cost, isNegative: isNegative)
        return Self.checksum(key, value) == checksum ? value : nil
    }

    /// Appends the record and the value to `target`.
    func append(_ value: StoredValue, to target: inout [UInt8]) {
        for field in [Self.mark, UInt32(length)] { Self.append(field, to: &target) }
        for field in [key.high, key.low] { Self.append(field, to: &target) }
        for field in [cost, isNegative ? 1 : 0] { Self.append(field, to: &target) }
        Self.append(checksum, to: &target)
        target += value.bytes
    }

    private static func append(_ number: some FixedWidthInteger, to target: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { target.append(contentsOf: $0) }
    }

    private static func checksum(_ key: StoreKey, _ value: StoredValue) -> UInt64 {
        var fields: [UInt8] = []
        fields.reserveCapacity(32)
        append(UInt64(value.bytes.count), to: &fields)
        append(key.high, to: &fields)
        append(key.low, to: &fields)
        append(UInt64(value.cost) << 1 | (value.isNegative ? 1 : 0), to: &fields)
        return tw_crc64(tw_crc64(0, fields, UInt64(fields.count)), value.bytes, UInt64(value.bytes.count))
    }
}
