import Foundation

/// The cosines of a discrete cosine transform (type II) over `count` samples, for its seven lowest frequencies. There
/// is one row for each frequency.
///
/// Rows are padded with zeros to a whole number of vectors, so that inner loops need no remainders.
struct CosineTable {
    static let frequencyCount = 7
    /// The number of samples in a vector.
    static let lanes = 8

    let pitch: Int
    private let rows: UnsafeMutablePointer<Float>

    static func pitch(_ count: Int) -> Int { (count + lanes - 1) / lanes * lanes }

    /// - Parameter memory: room for `frequencyCount` rows of `pitch(count)` numbers. The caller owns it and must keep
    ///   it for as long as the table is used.
    init(count: Int, in memory: UnsafeMutableBufferPointer<Float>) {
        pitch = Self.pitch(count)
        precondition(memory.count >= Self.frequencyCount * pitch, "too little room for cosines of \(count) samples")
        rows = memory.baseAddress!
        rows.initialize(repeating: 0, count: Self.frequencyCount * pitch)
        for sample in 0..<count {
            // Chebyshev's recurrence gives the cosines of all multiples of an angle from the cosine of the angle.
            let cosine = cos(.pi * (Double(sample) + 0.5) / Double(count))
            var (before, current) = (1.0, cosine)
            rows[sample] = 1
            for frequency in 1..<Self.frequencyCount {
                rows[frequency * pitch + sample] = Float(current)
                (before, current) = (current, 2 * cosine * current - before)
            }
        }
    }

    subscript(frequency: Int, sample: Int) -> Float { rows[frequency &* pitch &+ sample] }

    /// The cosines of a frequency for the eight samples that begin at `sample`.
    @inline(__always)
    func eight(_ frequency: Int, _ sample: Int) -> SIMD8<Float> {
        UnsafeRawPointer(rows + (frequency &* pitch &+ sample)).loadUnaligned(as: SIMD8<Float>.self)
    }
}
