/// Constant factors for `upperHalf`, the product of 16-bit vectors. Each factor is repeated in all elements of a
/// vector.
///
/// The constants are kept in memory, so that the compiler does not know their values. The compiler would compute a
/// product with a known factor in 32 bits, in eight instructions; a product with an unknown factor takes a single
/// instruction.
struct FixedFactors: @unchecked Sendable {
    // The memory is written only in `init`. It is never freed: it is allocated once for each set of constants in the code.
    private let vectors: UnsafePointer<SIMD8<Int16>>

    init(_ factors: Int16...) {
        let vectors = UnsafeMutablePointer<SIMD8<Int16>>.allocate(capacity: factors.count)
        for (index, factor) in factors.enumerated() {
            (vectors + index).initialize(to: SIMD8(repeating: factor))
        }
        self.vectors = UnsafePointer(vectors)
    }

    @inline(__always)
    subscript(index: Int) -> SIMD8<Int16> { vectors[index] }
}
