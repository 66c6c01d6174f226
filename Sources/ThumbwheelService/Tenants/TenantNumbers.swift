import ThumbwheelLocks

import struct Synchronization.Atomic

/// Numbers that are remembered of each tenant. Those of all tenants together have a bound; beyond it, the tenant of whom most are
/// remembered loses about half of them.
final class TenantNumbers: Sendable {
    private final class Tenant: Sendable {
        let numbers = Mutex<Set<Int>>([])
    }

    private let limit: Int
    private let tenants: [Tenant]
    private let count = Atomic(0)
    /// How often numbers were forgotten. Whoever forgets some holds the lock.
    private let turn = Mutex(0)

    /// - Parameters:
    ///   - tenantCount: The number of tenants.
    ///   - limit: The most numbers of all tenants. Two million take at most 40 MB.
    init(tenantCount: Int, limit: Int = 1 << 21) {
        self.limit = limit
        tenants = (0..<tenantCount).map { _ in Tenant() }
    }

    func contains(_ number: Int, of tenant: Int) -> Bool {
        tenants[tenant].numbers.withLock { $0.contains(number) }
    }

    /// Remembers a number, whose bits must be as good as random.
    ///
    /// - Returns: whether it was not known.
    @discardableResult
    func insert(_ number: Int, of tenant: Int) -> Bool {
        guard tenants[tenant].numbers.withLock({ $0.insert(number).inserted }) else { return false }
        if count.add(1, ordering: .relaxed).newValue > limit { forget() }
        return true
    }

    /// How many numbers of a tenant are remembered.
    func count(of tenant: Int) -> Int { tenants[tenant].numbers.withLock { $0.count } }

    private func forget() {
        // If another thread is at it, that is enough.
        _ = turn.withLockIfAvailable { turn in
            while count.load(ordering: .relaxed) > limit {
                let largest = tenants.indices.max { count(of: $0) < count(of: $1) }
                guard let largest else { return }
                // Another bit each time, or numbers that are of no use any more would stay for ever.
                turn = (turn + 1) % Int.bitWidth
                let former = tenants[largest].numbers.withLock { [turn] numbers in
                    defer { numbers = numbers.filter { $0 >> turn & 1 == 1 } }
                    return numbers
                }
                count.subtract(former.count - count(of: largest), ordering: .relaxed)
            }
        }
    }
}
