import ThumbwheelCore

extension AssetResource {
    /// The data of a resource other than its type and its source.
    ///
    /// It is stored behind one reference, because resources are copied with every request, and few requests need this
    /// data.
    final class Facts: Sendable {
        let originalFilename: String?
        let contentType: ContentType?
        let byteCount: Int?
        let pixelSize: PixelSize?
        let asset: AssetIdentifier?
        /// The metadata at the start of the resource's bytes; nil if `readingHead` has not read it.
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

    /// The name of the file, without its folder. It is the name that the host program has stated; otherwise, it is the
    /// last component of the file's path. It is nil if no name was stated and the bytes are not in a file. Resources
    /// from `assetResources(for:)` always have a name.
    public var originalFilename: String? {
        facts?.originalFilename ?? filePath.map { FilePath($0).lastComponent }
    }

    /// The type of the bytes; nil if it was not stated and the bytes have not been read.
    public var contentType: ContentType? { facts?.contentType }

    /// The number of bytes, if it was stated or the bytes are in memory. Otherwise nil: the resource must be opened to
    /// find the number.
    public var byteCount: Int? {
        if let count = facts?.byteCount { return count }
        return if case .bytes(let bytes) = source { bytes.count } else { nil }
    }

    /// The size of the picture in pixels, in display orientation. It is known only for resources from
    /// `assetResources(for:)`, and only for two of them: the one from which the asset was made, and the one that the
    /// asset shows. Otherwise it is nil.
    public var pixelSize: PixelSize? { facts?.pixelSize }

    /// The identifier of the asset to which the resource belongs; nil unless the resource comes from
    /// `assetResources(for:)`.
    public var assetIdentifier: AssetIdentifier? { facts?.asset }

    /// The identifier of the resource's asset as text. The name of this property is PhotoKit's.
    public var assetLocalIdentifier: String? { assetIdentifier?.localIdentifier }
}
