/// Constants for `upperHalf`, each in all lanes of a vector.
///
/// They are kept where the compiler does not see them. A product with a factor that it knows it computes in 32 bits, in eight
/// instructions; without, in one.
struct FixedFactors: @unchecked Sendable {
    // Never given back: made once for each set of constants in the code.
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
