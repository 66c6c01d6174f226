import ThumbwheelCore
import ThumbwheelLocks

/// Runs work of tenants away from the threads of sockets: what walks over a library, and what waits for a disk. Of each
/// tenant, so much runs at once and so much may wait, whatever the others ask for.
final class TenantQueue: Sendable {
    typealias Work = @Sendable () -> Void

    private struct Tenant {
        let limit: Int
        var waiting: [Work] = []
        /// Places before this one are empty.
        var start = 0
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
    /// - Returns: whether it will run. If not, too much waits.
    func run(_ tenant: Int, _ work: @escaping Work) -> Bool {
        let (isIn, begins) = tenants.withLock { tenants -> (Bool, Bool) in
            guard tenants[tenant].waiting.count - tenants[tenant].start < tenants[tenant].limit else {
                return (false, false)
            }
            tenants[tenant].waiting.append(work)
            guard tenants[tenant].running < width else { return (true, false) }
            tenants[tenant].running += 1
            return (true, true)
        }
        if begins { threads.run { [self] in runAll(tenant) } }
        return isIn
    }

    private func runAll(_ tenant: Int) {
        while let work = next(tenant) { work() }
    }

    private func next(_ tenant: Int) -> Work? {
        tenants.withLock { tenants in
            guard tenants[tenant].start < tenants[tenant].waiting.count else {
                (tenants[tenant].waiting, tenants[tenant].start) = ([], 0)
                // The thread ends under the lock under which work is added, so that none is overlooked.
                tenants[tenant].running -= 1
                return nil
            }
            let work = tenants[tenant].waiting[tenants[tenant].start]
            tenants[tenant].waiting[tenants[tenant].start] = {}
            tenants[tenant].start += 1
            if tenants[tenant].start == 64 {
                tenants[tenant].waiting.removeFirst(64)
                tenants[tenant].start = 0
            }
            return work
        }
    }
}
