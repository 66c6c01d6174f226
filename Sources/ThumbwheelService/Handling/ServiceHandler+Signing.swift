import Foundation
import Thumbwheel

extension ServiceHandler {
    /// Returns a signed address of a thumbnail: who has it needs no token, and gets exactly this size.
    ///
    /// - Parameters:
    ///   - asset: The asset.
    ///   - size: The size in pixels, each side from 1 to 16 384.
    ///   - contentMode: Whether the picture lies inside the size or covers it.
    ///   - crop: The part of the picture to show, in fractions of the upright picture; nil for all of it.
    ///   - filenameExtension: The format: `jpg`, `webp`, `png` or `avif`.
    ///   - tenant: The tenant that the request counts for; nil for the only one.
    ///   - expiry: The moment until which the address is valid.
    /// - Returns: Path and query; nil without a secret, for an unknown tenant, for one that does not see the asset, for a hidden
    ///   asset, and for an unknown size or format.
    public func signedAddress(
        of asset: Asset, size: PixelSize, contentMode: ContentMode = .aspectFill, crop: NormalizedRect? = nil,
        filenameExtension: String = "jpg", tenant: String? = nil, until expiry: Date
    ) -> String? {
        guard let signer, let resident = residents.named(tenant ?? residents.all[0].tenant.name),
            let seen = resident.asset(asset.identifier)
        else { return nil }
        let name = resident.names.name(of: asset.identifier)
        let file = "\(size.width)x\(size.height).\(filenameExtension)"
        var query = ["mode": contentMode.rawValue]
        if let crop { query["crop"] = "\(crop.x),\(crop.y),\(crop.width),\(crop.height)" }
        guard (try? ThumbnailAddress(file[...], query)) != nil else { return nil }
        return signer.signed(
            "/a/\(name)/\(resident.names.version(of: seen))/\(file)", query, tenant: resident.tenant.name,
            expiry: Int(expiry.timeIntervalSince1970))
    }
}
