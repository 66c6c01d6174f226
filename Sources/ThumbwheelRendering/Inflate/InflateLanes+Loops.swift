/// The loops in which lanes decode. Each loop copies its lanes to local variables, so that the compiler keeps them in
/// registers.
extension InflateLanes {
    typealias Place = UnsafeMutablePointer<InflateLane>

    /// Lets four lanes take steps in turn, until one of them is too close to its end for another step.
    @inline(never)
    static func run(
        _ a: Place, _ b: Place, _ c: Place, _ d: Place, _ bytes: UnsafeRawPointer,
        _ codes: InflateCodes
    ) {
        let (symbols, distances) = (codes.symbols, codes.distances)
        var (x, y, z, w) = (a.pointee, b.pointee, c.pointee, d.pointee)
        while x.canStep, y.canStep, z.canStep, w.canStep {
            x.step(bytes, symbols, distances)
            y.step(bytes, symbols, distances)
            z.step(bytes, symbols, distances)
            w.step(bytes, symbols, distances)
        }
        (a.pointee, b.pointee, c.pointee, d.pointee) = (x, y, z, w)
    }

    @inline(never)
    static func run(
        _ a: Place, _ b: Place, _ c: Place, _ bytes: UnsafeRawPointer,
        _ codes: InflateCodes
    ) {
        let (symbols, distances) = (codes.symbols, codes.distances)
        var (x, y, z) = (a.pointee, b.pointee, c.pointee)
        while x.canStep, y.canStep, z.canStep {
            x.step(bytes, symbols, distances)
            y.step(bytes, symbols, distances)
            z.step(bytes, symbols, distances)
        }
        (a.pointee, b.pointee, c.pointee) = (x, y, z)
    }

    @inline(never)
    static func run(
        _ a: Place, _ b: Place, _ bytes: UnsafeRawPointer,
        _ codes: InflateCodes
    ) {
        let (symbols, distances) = (codes.symbols, codes.distances)
        var (x, y) = (a.pointee, b.pointee)
        while x.canStep, y.canStep {
            x.step(bytes, symbols, distances)
            y.step(bytes, symbols, distances)
        }
        (a.pointee, b.pointee) = (x, y)
    }

    @inline(never)
    static func run(
        _ a: Place, _ bytes: UnsafeRawPointer,
        _ codes: InflateCodes
    ) {
        let (symbols, distances) = (codes.symbols, codes.distances)
        var x = a.pointee
        while x.canStep {
            x.step(bytes, symbols, distances)
        }
        a.pointee = x
    }

    /// Finds the bits at which the second, third and fourth lanes begin. Each of these lanes must begin at a symbol,
    /// although its part was cut off at an arbitrary bit.
    ///
    /// - Parameters:
    ///   - part: the number of bits of a part.
    ///   - lead: the number of bits before a part at which the search for the part's first symbol begins. A decoder
    ///     that starts at any bit usually finds the true symbols within so many bits.
    /// - Returns: for each of the three lanes, the index of the first bit of a symbol. If the search has not found the
    ///   true symbols, the index is wrong.
    @inline(never)
    static func starts(
        of part: Int, from position: Int, lead: Int, _ bytes: UnsafeRawPointer, _ codes: InflateCodes
    ) -> [Int] {
        let (symbols, distances) = (codes.symbols, codes.distances)
        let (first, second, third) = (position + part, position + 2 * part, position + 3 * part)
        var (x, y, z) = (first - lead, second - lead, third - lead)
        while x < first, y < second, z < third {
            x = behindSymbol(at: x, bytes, symbols, distances)
            y = behindSymbol(at: y, bytes, symbols, distances)
            z = behindSymbol(at: z, bytes, symbols, distances)
        }
        while x < first { x = behindSymbol(at: x, bytes, symbols, distances) }
        while y < second { y = behindSymbol(at: y, bytes, symbols, distances) }
        while z < third { z = behindSymbol(at: z, bytes, symbols, distances) }
        return [x, y, z]
    }

    /// The index of the first bit after a symbol. Bits that are not a valid code are skipped one by one.
    @inline(__always)
    private static func behindSymbol(
        at position: Int, _ bytes: UnsafeRawPointer, _ symbols: UnsafePointer<InflateEntry>,
        _ distances: UnsafePointer<InflateEntry>
    ) -> Int {
        var word = inflateWord(bytes, position)
        let symbol = InflateLane.symbol(word, symbols)
        if symbol.isLiteral { return position &+ symbol.bitCount }
        if symbol.isLast { return position &+ max(1, symbol.bitCount) }
        symbol.pass(&word)
        return position &+ symbol.bitCount &+ InflateLane.distance(word, distances).bitCount
    }
}
