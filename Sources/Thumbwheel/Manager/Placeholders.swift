import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

extension ImageManager {
    /// The placeholder of an asset, for a cell to show until its first image; nil if its hash is not known yet.
    ///
    /// It is painted on the calling thread, in some microseconds and with one allocation: nothing is read or decoded.
    /// It has the asset's own aspect, its longer side 32 pixels. It never comes as a result; see
    /// <doc:Semantics#Placeholders>.
    public func placeholder(for asset: Asset) -> Bitmap? {
        asset.thumbHash.map { hash in
            let size = asset.pixelSize
            return Bitmap(hash, aspectRatio: size.isEmpty ? nil : Double(size.width) / Double(size.height))
        }
    }
}

extension Asset {
    /// Makes the asset's hash by reading its file, and keeps it; where there is one already, that is it.
    ///
    /// - Throws: `ImageRequestError.networkAccessRequired` for a photograph that is elsewhere, `.unsupportedMedia` for what
    ///   is none.
    @discardableResult
    public func makeThumbHash(limits: RenderLimits = RenderLimits()) async throws(ImageRequestError) -> ThumbHash {
        let result = await withCheckedContinuation { continuation in
            BlockingThreads.reads.run {
                continuation.resume(
                    returning: Result { () throws(ImageRequestError) in try self.makeThumbHash(limits: limits) })
            }
        }
        return try result.get()
    }

    /// Makes the asset's hash while the calling thread waits for the preview in the file, or the file, to be decoded.
    ///
    /// - Throws: As the asynchronous method does.
    @available(*, noasync, message: "await the asynchronous makeThumbHash(limits:)")
    @discardableResult
    public func makeThumbHash(limits: RenderLimits = RenderLimits()) throws(ImageRequestError) -> ThumbHash {
        if let thumbHash { return thumbHash }
        guard mediaType == .image else { throw .unsupportedMedia }
        guard isLocallyAvailable else { throw .networkAccessRequired }
        do throws(RenderError) {
            let source: any ByteSource
            do throws(ByteSourceError) {
                source = try resource.open()
            } catch {
                throw .source(error)
            }
            let hash = try Renderer().thumbHash(of: source, head: head, limits: limits)
            keepThumbHash(hash)
            return hash
        } catch {
            throw ImageRequestError(error)
        }
    }
}

extension ImportOptions {
    /// Makes the hash of every photograph during the import, from the preview in its file or from a decode at a small
    /// scale. No cell of such a library is ever blank, but the import takes longer.
    public static let withThumbHashes = ImportOptions { try? $0.makeThumbHash() }
}
