/// Lookup tables over the next 12 bits of entropy-coded data.
///
/// An entry says how many bits it swallows (bits 0–7), how far it goes in the block (8–15) and the coefficient it ends at
/// (16–31, signed). How far is the number of coefficients passed, `ends` more where it swallows the end of the block, and
/// `escape` where a code and its extra bits are longer than 12: then only the code is swallowed, and its symbol stands in
/// place of the coefficient; a length of 0 means that even the code is longer, or that there is none.
/// Added to the place in the block, that gives less than 64 as long as the block goes on, 64 where its last coefficient is
/// passed, `ends` to `ends + 63` at its end; anything else must be decoded code by code.
final class HuffmanTable: Sendable {
    static let bits = 12
    /// Bits that an entry swallows at most: three times as many are in hand after a refill.
    static let longest = 18
    static let ends = 128
    static let escape = 192

    let code: HuffmanCode
    // Written only inside `init`, before anyone else can hold the object, and read-only afterwards.
    private nonisolated(unsafe) let entries: UnsafeMutablePointer<UInt32>

    init(_ code: HuffmanCode, isAC: Bool) {
        self.code = code
        entries = .allocate(capacity: 2 << Self.bits)
        let symbols = (0..<1 << Self.bits).map { code.symbol(at: $0 << (16 - Self.bits)) }
        for index in 0..<1 << Self.bits {
            let first = isAC ? Self.coefficient(at: index, symbols) : Self.difference(at: index, symbols)
            (entries + index).initialize(to: first)
            (entries + (1 << Self.bits) + index).initialize(to: isAC ? Self.run(at: index, symbols) : first)
        }
    }

    deinit {
        entries.deallocate()
    }

    /// For a DC code, the difference as the coefficient at place 0; for an AC code, a coefficient, with the end of the block
    /// where that follows. `1 << bits` entries that live as long as this object.
    var coefficients: UnsafePointer<UInt32> { UnsafePointer(entries) }
    /// For an AC code whose coefficients nobody wants: as many codes as there are in 12 bits.
    var runs: UnsafePointer<UInt32> { UnsafePointer(entries + (1 << Self.bits)) }

    private typealias Symbols = [(symbol: Int, length: Int)?]

    private static func entry(length: Int, advance: Int, value: Int = 0) -> UInt32 {
        UInt32(length) | UInt32(advance) << 8 | UInt32(UInt16(truncatingIfNeeded: value)) << 16
    }

    /// The code at a place within 12 bits, if it ends within them.
    private static func code(at place: Int, of index: Int, _ symbols: Symbols) -> (symbol: Int, length: Int)? {
        guard place < bits, let found = symbols[index << place & (1 << bits - 1)], place + found.length <= bits else {
            return nil
        }
        return found
    }

    /// Extra bits that begin at a place within 12 bits, if they end within them.
    private static func value(at place: Int, size: Int, of index: Int) -> Int? {
        guard place + size <= bits else { return nil }
        return HuffmanCode.extended(index >> (bits - place - size) & (1 << size - 1), size: size)
    }

    private static func difference(at index: Int, _ symbols: Symbols) -> UInt32 {
        guard let (size, length) = code(at: 0, of: index, symbols), size <= 15 else {
            return entry(length: 0, advance: escape)
        }
        guard let value = value(at: length, size: size, of: index) else {
            return entry(length: length, advance: escape, value: size)
        }
        return entry(length: length + size, advance: 1, value: value)
    }

    private static func coefficient(at index: Int, _ symbols: Symbols) -> UInt32 {
        guard let (symbol, length) = code(at: 0, of: index, symbols) else { return entry(length: 0, advance: escape) }
        let (run, size) = (symbol >> 4, symbol & 15)
        if size == 0 {
            // The place after an end is passed too, so that storing the coefficient that it does not have does no harm.
            return run == 15 ? entry(length: length, advance: 16) : entry(length: length, advance: ends + 1)
        }
        guard let value = value(at: length, size: size, of: index) else {
            return entry(length: length, advance: escape, value: symbol)
        }
        if let (next, more) = code(at: length + size, of: index, symbols), next & 15 == 0, next != 0xF0 {
            return entry(length: length + size + more, advance: ends + run + 1, value: value)
        }
        return entry(length: length + size, advance: run + 1, value: value)
    }

    /// Extra bits need not be seen to be passed, so an entry may swallow more than 12 bits: up to `longest`.
    private static func run(at index: Int, _ symbols: Symbols) -> UInt32 {
        var place = 0
        var passed = 0
        while let (symbol, length) = code(at: place, of: index, symbols) {
            let size = symbol & 15
            if size == 0, symbol != 0xF0 {
                return entry(length: place + length, advance: ends + max(1, passed))
            }
            let further = passed + symbol >> 4 + 1
            guard further < 64, place + length + size <= longest else { break }
            place += length + size
            passed = further
        }
        return place == 0 ? coefficient(at: index, symbols) : entry(length: place, advance: passed)
    }
}
