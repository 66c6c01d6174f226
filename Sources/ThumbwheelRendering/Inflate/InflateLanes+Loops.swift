/// The loops in which lanes decode. Each loop copies its lanes to local variables, so that the compiler keeps them in
/// registers.
extension InflateLanes {
    typealias Place = UnsafeMutablePointer<InflateLane>

    /// Decodes with four lanes, each a decoder of its own part of the block. A step decodes up to four symbols of one
    /// lane, then the next lane makes a step. The loop ends when one lane cannot make another step, because it is close
    /// to the end of its part or has stopped.
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

    /// Finds the bits at which the second, third and fourth lanes begin. The block is cut into parts at arbitrary bits,
    /// but the lane (the decoder) of a part must begin at the start of a symbol.
    ///
    /// - Parameters:
    ///   - part: the number of bits of a part.
    ///   - lead: the number of bits before a part at which the search for the part's first symbol begins. A decoder
    ///     that starts at any bit usually finds the true starts of symbols within this number of bits.
    /// - Returns: for each of the three lanes, the index of the first bit of a symbol. The index is wrong if the search
    ///   has not found the true starts of symbols.
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

    /// Returns the index of the first bit after the symbol that begins at `position`. The symbol itself is dropped. If
    /// no valid code begins at `position`, returns `position + 1`.
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
