import Thumbwheel

/// Assets that exist as heads only: enough for all that happens before a decoder.
package enum Pictures {
    /// A camera photograph, of twelve megapixels if nothing else is said.
    ///
    /// - Parameter hasPreview: whether the file has a preview, small enough to pay.
    package static func asset(
        _ number: Int, hasPreview: Bool = false, mediaType: AssetMediaType = .image, contentVersion: UInt32 = 1,
        contentType: ContentType = .jpeg, size: PixelSize = PixelSize(width: 4000, height: 3000)
    ) -> Asset {
        let preview = hasPreview ? EmbeddedPreview(byteRange: 1000..<9000, contentType: .jpeg) : nil
        return Asset(
            identifier: AssetIdentifier(high: 1, low: UInt64(number)), contentVersion: contentVersion,
            mediaType: mediaType,
            head: ImageHead(
                contentType: contentType, storedSize: size,
                previews: [preview].compactMap(\.self),
                jpeg: JPEGCoding(process: .baseline, isArithmetic: false, samplingFactors: [], restartInterval: 0)),
            resource: .bytes([]), fileSize: 4_000_000, originalFilename: "\(number).jpg")
    }

    /// A bitmap without a picture.
    package static func bitmap(side: Int) -> Bitmap {
        Bitmap(size: PixelSize(width: side, height: side), format: .rgb) { _ in }
    }
}
