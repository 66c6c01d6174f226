import ThumbwheelCore

extension AssetResource {
    /// The facts about a resource other than its type and its source.
    ///
    /// They are stored behind one reference, because every request passes resources on and few requests need these
    /// facts.
    final class Facts: Sendable {
        let originalFilename: String?
        let contentType: ContentType?
        let byteCount: Int?
        let pixelSize: PixelSize?
        let asset: AssetIdentifier?
        /// The contents of the head; nil if `readingHead` has not read it.
        let reading: ReadHead?

        init(
            originalFilename: String? = nil, contentType: ContentType? = nil, byteCount: Int? = nil,
            pixelSize: PixelSize? = nil, asset: AssetIdentifier? = nil, reading: ReadHead? = nil
        ) {
            self.originalFilename = originalFilename
            self.contentType = contentType
            self.byteCount = byteCount
            self.pixelSize = pixelSize
            self.asset = asset
            self.reading = reading
        }
    }

    /// The name of the file, without its folder: the stated name or, if none was stated, the name of the file with the
    /// bytes. It is nil if there is neither. Resources from `assetResources(for:)` always have a name.
    public var originalFilename: String? {
        facts?.originalFilename ?? filePath.map { FilePath($0).lastComponent }
    }

    /// The type of the bytes; nil if it was not stated and the bytes have not been read.
    public var contentType: ContentType? { facts?.contentType }

    /// The number of bytes; nil if the resource would have to be opened to find it out.
    public var byteCount: Int? {
        if let count = facts?.byteCount { return count }
        return if case .bytes(let bytes) = source { bytes.count } else { nil }
    }

    /// The size of the upright picture in pixels. Nil unless the resource comes from `assetResources(for:)` and is the photograph
    /// of which the asset was made, or the one that the asset shows.
    public var pixelSize: PixelSize? { facts?.pixelSize }

    /// The identifier of the asset to which the resource belongs; nil unless the resource comes from
    /// `assetResources(for:)`.
    public var assetIdentifier: AssetIdentifier? { facts?.asset }

    /// The identifier of the resource's asset as text. The name of this property is PhotoKit's.
    public var assetLocalIdentifier: String? { assetIdentifier?.localIdentifier }
}
