import ThumbwheelCore
import ThumbwheelLocks

/// Runs work of tenants away from the threads of sockets: what walks over a library, and what waits for a disk. Of each
/// tenant, so much runs at once and so much may wait, whatever the others ask for. Each folder of a tenant may count as a tenant, since
/// they may lie on different disks.
final class TenantQueue: Sendable {
    typealias Work = @Sendable () -> Void

    /// The place of work that was taken in.
    struct Place: Sendable {
        fileprivate let tenant: Int
        fileprivate let number: Int
    }

    private struct Tenant {
        let limit: Int
        /// The work that waits, by its number.
        var waiting: [Int: Work] = [:]
        /// The number of the work that is begun next, unless it was withdrawn.
        var nextNumber = 0
        /// The number of the work that comes next.
        var endNumber = 0
        var running = 0
    }

    private let width: Int
    private let threads: BlockingThreads
    private let tenants: Mutex<[Tenant]>

    /// - Parameters:
    ///   - limits: How much work of each tenant may wait.
    ///   - width: How much of a tenant's work runs at once.
    init(_ limits: [Int], width: Int, threads: BlockingThreads = .services) {
        (self.width, self.threads) = (width, threads)
        tenants = Mutex(limits.map { Tenant(limit: $0) })
    }

    /// Runs work once the tenant's earlier work has begun, and on another thread.
    ///
    /// - Returns: the work's place; nil if it will not run, because too much waits.
    func run(_ tenant: Int, _ work: @escaping Work) -> Place? {
        let (place, begins) = tenants.withLock { tenants -> (Place?, Bool) in
            guard tenants[tenant].waiting.count < tenants[tenant].limit else { return (nil, false) }
            let place = Place(tenant: tenant, number: tenants[tenant].endNumber)
            tenants[tenant].waiting[place.number] = work
            tenants[tenant].endNumber += 1
            guard tenants[tenant].running < width else { return (place, false) }
            tenants[tenant].running += 1
            return (place, true)
        }
        if begins { threads.run { [self] in runAll(tenant) } }
        return place
    }

    /// Gives a place back, so that other work may wait there. Work that has begun goes on.
    func withdraw(_ place: Place) {
        let work = tenants.withLock { $0[place.tenant].waiting.removeValue(forKey: place.number) }
        // The work is released outside the lock, since it may hold the last reference to anything.
        _ = work
    }

    private func runAll(_ tenant: Int) {
        FolderPolicy.$mayWalk.withValue(true) {
            while let work = next(tenant) { work() }
        }
    }

    private func next(_ tenant: Int) -> Work? {
        tenants.withLock { tenants in
            while tenants[tenant].nextNumber < tenants[tenant].endNumber {
                let number = tenants[tenant].nextNumber
                tenants[tenant].nextNumber += 1
                if let work = tenants[tenant].waiting.removeValue(forKey: number) { return work }
            }
            // The thread ends under the lock under which work is added, so that none is overlooked.
            tenants[tenant].running -= 1
            return nil
        }
    }
}
