import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering

extension ImageManager {
    /// Returns the placeholder of an asset, which a cell shows until its first image comes; nil if the asset has no
    /// thumb hash yet.
    ///
    /// The placeholder is painted on the calling thread in a few microseconds and with one allocation; no file is read
    /// or decoded. It has the asset's aspect ratio, and its longer side has 32 pixels. No request ever delivers a
    /// placeholder as a result; see <doc:Semantics#Placeholders>.
    public func placeholder(for asset: Asset) -> Bitmap? {
        asset.thumbHash.map { hash in
            let size = asset.pixelSize
            return Bitmap(hash, aspectRatio: size.isEmpty ? nil : Double(size.width) / Double(size.height))
        }
    }
}

extension Asset {
    /// Makes the asset's thumb hash from its file and stores it; returns the stored hash if there is one already.
    ///
    /// - Throws: `ImageRequestError.networkAccessRequired` for a photograph that is not stored locally,
    ///   `.unsupportedMedia` for a video without a cover picture, and for a sound.
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

    /// Makes the asset's thumb hash; the calling thread waits until the preview in the file, or the file itself, is
    /// decoded.
    ///
    /// - Throws: The same errors as the asynchronous `makeThumbHash(limits:)`.
    @available(*, noasync, message: "await the asynchronous makeThumbHash(limits:)")
    @discardableResult
    public func makeThumbHash(limits: RenderLimits = RenderLimits()) throws(ImageRequestError) -> ThumbHash {
        if let thumbHash { return thumbHash }
        guard mediaType == .image || mediaType == .video && head.isShownVideo else { throw .unsupportedMedia }
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
    /// Makes the thumb hash of every photograph during the import, from the preview in its file or from a decode at a
    /// small scale. With these hashes no cell of a grid is ever blank, but the import takes longer.
    public static let withThumbHashes = ImportOptions { try? $0.makeThumbHash() }
}
