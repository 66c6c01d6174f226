import Thumbwheel

/// The assets whose files were seen to lie in the folders that may be delivered to a tenant, so that a picture from the cache, and a list,
/// need no look at a disk, which may hang. An asset that has changed is looked at again.
struct KnownInsiders: Sendable {
    /// The assets of all tenants.
    let numbers: TenantNumbers
    let tenant: Int

    func contains(_ asset: Asset) -> Bool { numbers.contains(Self.number(of: asset), of: tenant) }

    func insert(_ asset: Asset) { numbers.insert(Self.number(of: asset), of: tenant) }

    /// An asset with its content and the places of its files, in one number.
    private static func number(of asset: Asset) -> Int {
        var hasher = Hasher()
        hasher.combine(asset.identifier)
        hasher.combine(asset.contentVersion)
        for resource in asset.resources { hasher.combine(resource.filePath) }
        return hasher.finalize()
    }
}
