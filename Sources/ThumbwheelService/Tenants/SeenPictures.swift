import Thumbwheel

import struct Synchronization.Atomic

/// The pictures that a tenant has been sent, in numbers, and the assets that these are of.
///
/// Tenants share what is rendered. Had one asked for a picture before, the other would get it so much sooner that it would know.
/// So a tenant's first request for a picture takes as long as its render did, whoever rendered it, and a limited tenant gets no
/// placeholder that only others' requests have left.
final class SeenPictures: Sendable {
    /// The pictures and assets of all tenants.
    private let numbers: TenantNumbers
    private let tenant: Int
    private let changes = Atomic(0)

    init(_ numbers: TenantNumbers, of tenant: Int) {
        (self.numbers, self.tenant) = (numbers, tenant)
    }

    /// Notes that the tenant has a picture.
    func insert(_ picture: Int, of asset: AssetIdentifier) {
        numbers.insert(picture, of: tenant)
        if numbers.insert(Self.number(of: asset), of: tenant) { changes.add(1, ordering: .releasing) }
    }

    /// Notes that the tenant knows that a picture cannot be made.
    func insertFailure(_ picture: Int) { numbers.insert(picture, of: tenant) }

    func contains(_ picture: Int) -> Bool { numbers.contains(picture, of: tenant) }

    /// Whether the tenant has a picture of an asset.
    func hasPicture(of asset: AssetIdentifier) -> Bool { numbers.contains(Self.number(of: asset), of: tenant) }

    /// Rises with each asset of which the tenant gets its first picture.
    var assetChangeCount: Int { changes.load(ordering: .acquiring) }

    private static func number(of asset: AssetIdentifier) -> Int {
        var hasher = Hasher()
        hasher.combine(asset)
        return hasher.finalize()
    }
}
