import Foundation

/// The lowest frequencies of the cosine transform of type II over so many samples, a row for each.
///
/// Rows end in zeros up to a whole number of vectors, so that inner loops need no remainders.
struct CosineTable {
    static let frequencyCount = 7
    /// Samples of a vector.
    static let lanes = 8

    let pitch: Int
    private let rows: UnsafeMutablePointer<Float>

    static func pitch(_ count: Int) -> Int { (count + lanes - 1) / lanes * lanes }

    /// - Parameter memory: `frequencyCount` rows of `pitch(count)` numbers, the caller's for as long as the table is used.
    init(count: Int, in memory: UnsafeMutableBufferPointer<Float>) {
        pitch = Self.pitch(count)
        precondition(memory.count >= Self.frequencyCount * pitch, "too little room for cosines of \(count) samples")
        rows = memory.baseAddress!
        rows.initialize(repeating: 0, count: Self.frequencyCount * pitch)
        for sample in 0..<count {
            // Chebyshev's recurrence: one cosine gives those of its multiples.
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

    /// Of the samples from `sample` on.
    @inline(__always)
    func eight(_ frequency: Int, _ sample: Int) -> SIMD8<Float> {
        UnsafeRawPointer(rows + (frequency &* pitch &+ sample)).loadUnaligned(as: SIMD8<Float>.self)
    }
}
