/// How stored values become light.
///
/// Exponents are kept as ICC profiles store them, in 1/65536, and powers are computed by square roots alone: IEEE 754
/// rounds a square root in one way, while the last bit of a library's `pow` differs between machines.
struct TransferCurve: Sendable, Hashable {
    /// The exponent in 1/65536.
    var gamma: Int
    /// The straight part near black (ICC.1:2010 parametric curve type 3): above `knee` light is (a·v + b)^gamma, below it
    /// is c·v. Nil for a pure power.
    var segments: Segments?

    struct Segments: Sendable, Hashable {
        var a: Double
        var b: Double
        var c: Double
        var knee: Double
    }

    /// IEC 61966-2-1.
    static let sRGB = TransferCurve(
        gamma: 157_286, segments: Segments(a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, knee: 0.04045))
    /// 2 + 51/256, from the Adobe RGB (1998) encoding specification.
    static let adobeRGB = TransferCurve(gamma: 563 * 256, segments: nil)

    /// Linear light for a stored value, both 0...1.
    func linear(_ value: Double) -> Double {
        guard let segments else { return power(value) }
        return value < segments.knee ? segments.c * value : power(segments.a * value + segments.b)
    }

    private func power(_ base: Double) -> Double {
        var result = 1.0
        for _ in 0..<(gamma >> 16) { result *= base }
        var root = base
        for bit in 0..<16 {
            root = root.squareRoot()
            if gamma & (0x8000 >> bit) != 0 { result *= root }
        }
        return result
    }

    /// Linear light in 0...65535 for each byte.
    var linearTable: [Int32] { (0...255).map { Int32((linear(Double($0) / 255) * 65535).rounded()) } }

    /// The byte for each 1/4095 of linear light.
    var byteTable: [UInt8] {
        var table: [UInt8] = []
        var byte = 0
        for step in 0...4095 {
            // The next byte begins where the light half-way to it does.
            while byte < 255, linear((Double(byte) + 0.5) / 255) <= Double(step) / 4095 { byte += 1 }
            table.append(UInt8(byte))
        }
        return table
    }
}
