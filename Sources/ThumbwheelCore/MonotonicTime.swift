/// A point in time on a clock that never goes backwards: the machine's, or a simulation's own.
public struct MonotonicTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since the clock's origin.
    public var nanoseconds: Int64

    /// Makes a point in time.
    ///
    /// - Parameter nanoseconds: Nanoseconds since the clock's origin.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The clock's origin.
    public static let zero = MonotonicTime(nanoseconds: 0)

    private static let origin = ContinuousClock.now

    /// The current time of the machine's clock, whose origin is its first use in this process.
    public static var now: MonotonicTime {
        // The origin is read first, because it must not be later than the time that is measured from it.
        let origin = origin
        let elapsed = (ContinuousClock.now - origin).components
        return MonotonicTime(nanoseconds: elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000)
    }

    public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Milliseconds from `start` to this point.
    public func milliseconds(since start: MonotonicTime) -> Double {
        Double(nanoseconds - start.nanoseconds) / 1e6
    }

    /// Returns the point that is `duration` later, limited to the clock's last point, three centuries away.
    public func advanced(by duration: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = duration.components
        let sum = Int128(nanoseconds) + Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000)
        return MonotonicTime(nanoseconds: Int64(clamping: sum))
    }

    /// Returns the point that is `milliseconds` later.
    public func advanced(byMilliseconds milliseconds: Double) -> MonotonicTime {
        MonotonicTime(nanoseconds: nanoseconds + Int64((milliseconds * 1e6).rounded()))
    }
}
