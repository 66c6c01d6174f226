import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Says which simulated histories were running when the process trapped: a broken invariant ends it before any test
/// could tell its seed.
package enum CrashSeeds {
    /// One for each history that can run at the same time; `idle` where none does.
    private static let lanes = Lanes()
    private static let idle = UInt64.max

    private struct Lanes: ~Copyable {
        let first = Atomic(idle)
        let second = Atomic(idle)
    }

    package static let laneCount = 2

    /// Notes the seed that `lane` is about to run, nil when it is done.
    package static func note(_ seed: UInt64?, lane: Int) {
        _ = installation
        let value = seed ?? idle
        if lane == 0 {
            lanes.first.store(value, ordering: .relaxed)
        } else {
            lanes.second.store(value, ordering: .relaxed)
        }
    }

    private static let installation: Void = {
        for number in [SIGILL, SIGTRAP] {
            signal(number) { number in
                CrashSeeds.tell(CrashSeeds.lanes.first.load(ordering: .relaxed))
                CrashSeeds.tell(CrashSeeds.lanes.second.load(ordering: .relaxed))
                // The instruction is run again, and now ends the process in the usual way.
                signal(number, SIG_DFL)
            }
        }
    }()

    /// Writes without allocating: this runs in a signal handler.
    private static func tell(_ seed: UInt64) {
        guard seed != idle else { return }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var start = digits.count
            var rest = seed
            repeat {
                start -= 1
                digits[start] = UInt8(rest % 10) + 0x30
                rest /= 10
            } while rest > 0
            let heading: StaticString = "simulation trapped at seed "
            _ = write(2, heading.utf8Start, heading.utf8CodeUnitCount)
            _ = write(2, digits.baseAddress! + start, digits.count - start)
            let end: StaticString = "\n"
            _ = write(2, end.utf8Start, end.utf8CodeUnitCount)
        }
    }
}
