import ThumbwheelCore

/// The images of a HEIF or AVIF file that a decoder needs: the picture, its alpha, and its thumbnails.
///
/// The images are read from the file for each decode and not stored with the asset, because the description is large: a
/// phone's photograph has 48 tiles.
package struct HEIFImages: Sendable, Equatable {
    package let picture: HEIFImage
    /// The picture's alpha; nil if the picture has none, or if the alpha is derived in a way that is not supported.
    package let alpha: HEIFImage?
    package let hasAlpha: Bool
    package let thumbnails: [HEIFImage]

    /// Reads the items of the file.
    ///
    /// The limits of `HeadReader` apply. So for every file the result or an error comes within milliseconds.
    ///
    /// - Returns: nil if the picture is derived from other items in a way that is not supported: an overlay, an
    ///   identity, a grid of grids, or tiles without data in the file.
    package init?(reading source: any ByteSource) throws(HeadError) {
        var reader = HeadReader(source)
        guard let meta = try HEIFBoxes(&reader, in: reader.extent)["meta"] else {
            throw .malformed(reason: "no meta box")
        }
        let items = try HEIFItems(&reader, meta: meta)
        let references = try items.references(&reader)
        let thumbnails = Array(references.thumbnails.prefix(HEIFHead.thumbnailLimit))
        let auxiliaries = Array(references.auxiliaries.prefix(HEIFAuxiliary.limit))
        let alpha = try HEIFAuxiliary.alpha(
            &reader, among: auxiliaries, items.properties(&reader, of: Set(auxiliaries)))
        let images = try HEIFImageReader(
            &reader, items, images: [items.primary] + thumbnails + [alpha].compactMap(\.self))
        guard let picture = try images.image(&reader, of: items.primary) else { return nil }
        self.picture = picture
        hasAlpha = alpha != nil
        self.alpha = if let alpha { try images.image(&reader, of: alpha) } else { nil }
        var described: [HEIFImage] = []
        for thumbnail in thumbnails {
            if let image = try images.image(&reader, of: thumbnail) { described.append(image) }
        }
        self.thumbnails = described
    }
}
