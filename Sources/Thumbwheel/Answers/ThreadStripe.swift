#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Spreads threads over the stripes of a `StripedMutex`.
enum ThreadStripe {
    /// The number of stripes. It is large enough that a few active threads are unlikely to share a stripe.
    static let count = 32

    /// The number of the stripe that the calling thread uses. A stripe is one of the separate locks of a
    /// `StripedMutex`, among which the threads are divided. The number never changes for a thread; several threads may
    /// have the same number.
    @inline(__always)
    static var current: Int {
        #if canImport(Darwin)
        let thread = UInt64(UInt(bitPattern: pthread_self()))
        #else
        let thread = UInt64(UInt(pthread_self()))
        #endif
        // Thread identifiers are addresses that differ by multiples of the stack size, so their low bits differ little.
        // The upper five bits of the product depend on all bits of the address.
        return Int(truncatingIfNeeded: (thread &* 0x9E37_79B9_7F4A_7C15) >> 59)
    }
}
