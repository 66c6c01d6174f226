import ThumbwheelCore

extension AssetResource {
    /// Facts about a resource beyond its type and its source.
    ///
    /// They lie behind one reference, because every request passes resources on, and few requests need these facts.
    final class Facts: Sendable {
        let originalFilename: String?
        let contentType: ContentType?
        let byteCount: Int?
        let asset: AssetIdentifier?
        /// The contents of the head, if `readingHead` has read it.
        let reading: ReadHead?

        init(
            originalFilename: String? = nil, contentType: ContentType? = nil, byteCount: Int? = nil,
            asset: AssetIdentifier? = nil, reading: ReadHead? = nil
        ) {
            self.originalFilename = originalFilename
            self.contentType = contentType
            self.byteCount = byteCount
            self.asset = asset
            self.reading = reading
        }
    }

    /// The name of the file, without its folder: the name that was stated, or the name of the file that holds the bytes.
    /// Nil if there is neither; resources from `assetResources(for:)` always have a name.
    public var originalFilename: String? {
        facts?.originalFilename ?? filePath.map { FilePath($0).lastComponent }
    }

    /// The type of the bytes; nil if it was not stated and nobody has looked at the bytes.
    public var contentType: ContentType? { facts?.contentType }

    /// The number of bytes; nil if it cannot be told without opening the resource.
    public var byteCount: Int? {
        if let count = facts?.byteCount { return count }
        return if case .bytes(let bytes) = source { bytes.count } else { nil }
    }

    /// The asset that the resource belongs to; nil unless the resource comes from `assetResources(for:)`.
    public var assetIdentifier: AssetIdentifier? { facts?.asset }

    /// The identifier of the resource's asset as text, under PhotoKit's name.
    public var assetLocalIdentifier: String? { assetIdentifier?.localIdentifier }
}
