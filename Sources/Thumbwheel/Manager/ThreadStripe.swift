#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Spreads threads over the stripes of a `StripedMutex`.
enum ThreadStripe {
    /// The number of stripes. With a few threads it is unlikely that two of them have the same.
    static let count = 32

    /// The stripe of the calling thread, which it always has. Other threads may have it too.
    @inline(__always)
    static var current: Int {
        #if canImport(Darwin)
        let thread = UInt64(UInt(bitPattern: pthread_self()))
        #else
        let thread = UInt64(UInt(pthread_self()))
        #endif
        // Threads' numbers are addresses that differ by the sizes of stacks, so the upper bits of the product are taken.
        return Int(truncatingIfNeeded: (thread &* 0x9E37_79B9_7F4A_7C15) >> 59)
    }
}
