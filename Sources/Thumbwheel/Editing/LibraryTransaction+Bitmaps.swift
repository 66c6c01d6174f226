import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering

extension LibraryTransaction {
    /// Adds an asset whose photograph is a bitmap. The method encodes the bitmap.
    ///
    /// While the bitmap is encoded, the library's other transactions wait, but fetches do not. A large bitmap is better
    /// encoded before the transaction, and added as bytes with `createAsset(from:)`.
    ///
    /// - Parameters:
    ///   - bitmap: the picture.
    ///   - encoding: the format of the file; nil stands for PNG if the bitmap has alpha, else for JPEG.
    ///   - originalFilename: the name to record, without an extension; the extension follows from the encoding.
    ///   - identifier: the asset's identifier; nil makes a new one at random.
    ///   - folder: the folder to write the file to; if nil, the bytes stay in memory and in the library's file. A
    ///     written file is deleted if the transaction is not committed.
    /// - Throws: `ChangeError`: `.invalidResource` for a bitmap that cannot be encoded, `.unwritable`,
    ///   `.duplicateAsset`.
    @discardableResult
    public mutating func createAsset(
        from bitmap: Bitmap, as encoding: ImageEncoding? = nil, originalFilename: String = "Untitled",
        identifier: AssetIdentifier? = nil, writingTo folder: String? = nil
    ) throws(ChangeError) -> AssetPlaceholder {
        // The pixel format decides between PNG, for a bitmap with alpha, and JPEG. A bitmap in linear light always has
        // an alpha channel, even if all of its pixels are opaque. So it is converted to the standard range first: the
        // converted bitmap has an alpha channel only if some pixel is not opaque.
        let bitmap = bitmap.inStandardRange()
        let encoding = encoding ?? (bitmap.format == .rgba ? .png : .jpeg(quality: 92))
        let name = encoding.contentType.filenameExtension.map { originalFilename + "." + $0 } ?? originalFilename
        let bytes: [UInt8]
        do throws(RenderError) {
            bytes = try bitmap.encoded(as: encoding)
        } catch {
            throw refuse(ChangeError(.invalidResource(.malformed(reason: error.description))))
        }
        return try createAsset(
            from: [.bytes(bytes)], originalFilename: name, identifier: identifier, writingBytesTo: folder)
    }
}
