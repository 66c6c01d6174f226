import Thumbwheel
import ThumbwheelLocks

/// Marks favourites in the order in which tenants ask for it. Transactions of their own tasks would overtake one another.
final class FavoriteOrders: Sendable {
    private struct Tenant {
        var last: Task<Void, Never>?
        var count = 0
    }

    /// How many orders of a tenant may wait.
    private static let limit = 256
    private let tenants: Mutex<[Tenant]>

    init(tenantCount: Int) { tenants = Mutex(Array(repeating: Tenant(), count: tenantCount)) }

    /// Marks an asset, or unmarks it, after what the tenant has asked for before.
    ///
    /// - Parameter done: Called at the end with whether the library has taken the change.
    /// - Returns: whether the order was taken. If not, too many wait.
    func add(
        _ asset: Asset, _ isFavorite: Bool, of resident: Resident, done: @escaping @Sendable (Bool) -> Void
    ) -> Bool {
        tenants.withLock { tenants in
            guard tenants[resident.index].count < Self.limit else { return false }
            tenants[resident.index].count += 1
            let before = tenants[resident.index].last
            tenants[resident.index].last = Task { [self] in
                await before?.value
                let isDone = await Self.mark(asset, isFavorite, in: resident.library)
                self.tenants.withLock { tenants in
                    tenants[resident.index].count -= 1
                    if tenants[resident.index].count == 0 { tenants[resident.index].last = nil }
                }
                done(isDone)
            }
            return true
        }
    }

    private static func mark(_ asset: Asset, _ isFavorite: Bool, in library: PhotoLibrary) async -> Bool {
        do {
            try await library.performChanges { try $0.edit(asset) { $0.isFavorite = isFavorite } }
            return true
        } catch {
            return false
        }
    }
}
