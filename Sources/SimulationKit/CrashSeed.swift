#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Says which simulated history was running when the process trapped: a programming error inside the pipeline ends it
/// before anybody could tell the seed.
package enum CrashSeed {
    /// What the message on standard error begins with; the seed follows.
    package static let heading = "simulation trapped at seed "

    /// Notes the seed that the calling thread is about to run.
    static func note(_ seed: UInt64) {
        // One more than the seed: nothing is told of a thread that has run none.
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: UInt(truncatingIfNeeded: seed &+ 1)))
    }

    /// Initialised once, with the handlers: a trap is a signal to the very thread that trapped.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        for number in [SIGILL, SIGTRAP] {
            signal(number) { number in
                CrashSeed.tell()
                // The instruction is run again, and now ends the process in the usual way.
                signal(number, SIG_DFL)
            }
        }
        return key
    }()

    /// Writes without allocating: this runs in a signal handler.
    private static func tell() {
        guard let noted = pthread_getspecific(key) else { return }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 21) { digits in
            var start = digits.count - 1
            digits[start] = 0x0A
            var rest = UInt64(UInt(bitPattern: noted)) &- 1
            repeat {
                start -= 1
                digits[start] = UInt8(rest % 10) + 0x30
                rest /= 10
            } while rest > 0
            var heading = heading
            heading.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
            _ = write(2, digits.baseAddress! + start, digits.count - start)
        }
    }
}
