import ThumbwheelLocks

/// The places for streams of events, of which each tenant has so many.
final class StreamPlaces: Sendable {
    /// A place that is taken until the last reference to it goes.
    final class Place: Sendable {
        private let places: StreamPlaces
        private let tenant: Int

        fileprivate init(_ places: StreamPlaces, _ tenant: Int) {
            (self.places, self.tenant) = (places, tenant)
        }

        deinit { places.free.withLock { $0[tenant] += 1 } }
    }

    private let free: Mutex<[Int]>

    /// - Parameter limits: The number of places of each tenant.
    init(_ limits: [Int]) {
        free = Mutex(limits)
    }

    /// Takes a place; nil if the tenant has no free one.
    func take(_ tenant: Int) -> Place? {
        let isTaken = free.withLock { free in
            guard free[tenant] > 0 else { return false }
            free[tenant] -= 1
            return true
        }
        return isTaken ? Place(self, tenant) : nil
    }
}
