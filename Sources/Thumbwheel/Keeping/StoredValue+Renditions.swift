import ThumbwheelAssets
import ThumbwheelCaching
import ThumbwheelCore
import ThumbwheelPipeline

extension StoredValue {
    /// Makes the value that is written to stores for a rendition: its image, or the reason why the image cannot be
    /// made. Nil if nothing is written to stores. There are two such cases: the image has a form that `StoredImage`
    /// cannot encode, or the reason does not lie in the photograph's file and may go away.
    init?(_ result: Result<SharedImage, ImageRequestError>, of asset: Asset) {
        switch result {
        case .success(let shared):
            guard let bytes = StoredImage.bytes(of: shared, thumbHash: asset.thumbHash) else { return nil }
            self.init(bytes, cost: UInt32(clamping: Int(min(shared.facts.renderMilliseconds, 1e6) * 1_000)))
        case .failure(let error):
            guard let bytes = StoredRefusal.bytes(of: error) else { return nil }
            self.init(bytes, isNegative: true)
        }
    }
}

extension LookUpOutcome {
    /// Reads the value that a store has for the rendition `key`. If the value contains a `ThumbHash` (a placeholder of
    /// a few bytes) of the photograph and the asset has none, the asset gets this `ThumbHash`.
    init(_ value: StoredValue, of key: RenditionKey, _ asset: Asset, usesEmbeddedPreviews: Bool) {
        if value.isNegative {
            self = StoredRefusal.error(value.bytes).map { .refused($0) } ?? .missing
            return
        }
        let stored = StoredImage(value.bytes) { bytes, size in
            key.encoding.map { encoding in
                ImageData(
                    bytes: bytes, contentType: encoding.contentType, orientation: .up, pixelSize: size,
                    entityTag: EntityTag(key, of: asset, usesEmbeddedPreviews: usesEmbeddedPreviews))
            }
        }
        guard let stored else {
            self = .missing
            return
        }
        if let hash = stored.thumbHash, asset.thumbHash == nil { asset.keepThumbHash(hash) }
        self = .found(stored.image)
    }
}
