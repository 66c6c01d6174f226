import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering

/// The asset that a worker needs to make a rendition, and the predicted cost of making it.
///
/// The value is made once per request, before the pipeline's lock is taken. The pipeline itself uses only the
/// predictions, and passes the asset to the worker.
package struct RenderWork: Sendable {
    package let asset: Asset
    let prediction: RenderPrediction

    init(asset: Asset, _ prediction: RenderPrediction) {
        self.asset = asset
        self.prediction = prediction
    }

    package init(
        asset: Asset, predictedByteCount: Int, outputByteCount: Int = 0, predictedMilliseconds: Double = 0,
        decodeEighths: Int? = nil, geometry: RenditionGeometry? = nil, isStoppable: Bool = true,
        remoteByteCount: Int? = nil, assistanceByteCount: Int = 0, memoryClass: MemoryClass? = nil,
        previewByteCount: Int? = nil, isReadByRanges: Bool = false, remotePreviewByteCount: Int? = nil
    ) {
        self.init(
            asset: asset,
            RenderPrediction(
                predictedByteCount: predictedByteCount, outputByteCount: outputByteCount,
                predictedMilliseconds: predictedMilliseconds, decodeEighths: decodeEighths, geometry: geometry,
                isStoppable: isStoppable, remoteByteCount: remoteByteCount, assistanceByteCount: assistanceByteCount,
                memoryClass: memoryClass, previewByteCount: previewByteCount ?? Self.assumedPreviewByteCount,
                isReadByRanges: isReadByRanges, remotePreviewByteCount: remotePreviewByteCount))
    }

    /// A class of similar renders. For all renders of a class, the ratio of the memory really used to the predicted
    /// memory is about the same.
    package struct MemoryClass: Hashable, Sendable {
        let decoder: RenderedImage.Decoder
        let isProgressive: Bool
        let eighths: Int
        /// Whether the image is decoded in a process of its own. The memory of that process is not measured, so
        /// `memoryClass(for:)` returns nil for such a render.
        var isIsolated = false

        package init(decoder: RenderedImage.Decoder, isProgressive: Bool, eighths: Int) {
            self.decoder = decoder
            self.isProgressive = isProgressive
            self.eighths = eighths
        }
    }

    package var remoteByteCount: Int? { prediction.remoteByteCount }
    var predictedMilliseconds: Double { prediction.predictedMilliseconds }
    var decodeEighths: Int? { prediction.decodeEighths }
    var outputByteCount: Int { prediction.outputByteCount }
    var assistanceByteCount: Int { prediction.assistanceByteCount }
    package var geometry: RenditionGeometry? { prediction.geometry }
    /// Whether the decoder of a final rendition can be stopped, so that a running render can make way for a more urgent
    /// one.
    var isStoppable: Bool { prediction.isStoppable }

    /// Whether a final rendition is delivered exactly as the JPEG decoder outputs it, at half the full size or less.
    /// The decoder itself can reduce the size; the image is neither resampled nor cropped afterwards. Such a rendition
    /// in high quality needs chroma at the resolution of luma. At these scales the decoder can supply such chroma, even
    /// if the file stores chroma at a lower resolution.
    var isNaturalJPEG: Bool {
        geometry?.isNatural ?? false && prediction.memoryClass?.decoder == .jpeg
            && decodeEighths.map { $0 <= 4 } ?? false
    }

    /// The bytes that the memory budget is charged for a degraded image of unknown cost. Embedded previews and local
    /// proxies, from which degraded images are made, are small.
    private static let assumedPreviewByteCount = 512 << 10

    /// The bytes that a resampler takes for its tables and for a few rows of a large bitmap.
    private static let resamplerByteCount = 256 << 10

    /// A placeholder for work that is never done. It is used where a value of this type is required but there is
    /// nothing to render. Its asset is in no library and has no bytes.
    package static let nothing: RenderWork = {
        let head = ImageHead(contentType: .jpeg, storedSize: PixelSize(width: 1, height: 1))
        let asset = Asset(
            identifier: AssetIdentifier(high: 0, low: 0), head: head, resource: .file(path: ""), fileSize: 0,
            originalFilename: "")
        return RenderWork(asset: asset, predictedByteCount: 0)
    }()

    /// Returns a placeholder for work that is never done. Its asset has the given identifier, is in no library, and has
    /// no bytes.
    package static func nothing(for asset: AssetIdentifier) -> RenderWork {
        RenderWork(asset: nothing.asset.copy(identifier: asset), nothing.prediction)
    }

    /// Makes the work of rendering one version of an asset.
    ///
    /// - Parameters:
    ///   - byteCount: the length, in bytes, of the file that is rendered.
    ///   - isRefused: whether the render is certain to be refused before it takes any memory or time, because it
    ///     exceeds a configured limit. The pipeline then evicts nothing to make room for this render, and lets no other
    ///     render share its decode.
    ///   - isReadByRanges: whether a final rendition needs only some ranges of a file that is not stored locally.
    ///   - remotePreviewByteCount: the number of bytes that must be fetched over a network to make a degraded image;
    ///     nil if a degraded image needs no fetched bytes.
    package init(
        asset: Asset, _ version: ImageVersion, byteCount: Int, cost: RenderCost, isRefused: Bool,
        isReadByRanges: Bool = false, remotePreviewByteCount: Int? = nil
    ) {
        let remoteByteCount = asset.isLocallyAvailable(version) ? nil : byteCount
        guard !isRefused else {
            self.init(
                asset: asset, predictedByteCount: 0, isStoppable: cost.isStoppable, remoteByteCount: remoteByteCount,
                previewByteCount: cost.previewByteCount)
            return
        }
        self.init(
            asset: asset, predictedByteCount: cost.predictedByteCount, outputByteCount: cost.outputByteCount,
            predictedMilliseconds: cost.milliseconds, decodeEighths: cost.decodeEighths, geometry: cost.geometry,
            isStoppable: cost.isStoppable, remoteByteCount: remoteByteCount,
            assistanceByteCount: cost.assistanceByteCount, memoryClass: MemoryClass(cost),
            previewByteCount: cost.previewByteCount, isReadByRanges: isReadByRanges,
            remotePreviewByteCount: remotePreviewByteCount)
    }

    /// Makes work that delivers a file unchanged: the file of the given version of the asset.
    ///
    /// - Parameters:
    ///   - byteCount: the length of the file in bytes.
    ///   - isRefused: whether the file is certain to be refused, because it exceeds a configured limit. It then takes
    ///     no memory.
    package init(fileOf asset: Asset, _ version: ImageVersion, byteCount: Int, isRefused: Bool) {
        self.init(
            asset: asset, predictedByteCount: isRefused ? 0 : byteCount,
            remoteByteCount: asset.isLocallyAvailable(version) ? nil : byteCount)
    }

    /// Whether bytes must be fetched over a network to make a rendition of this kind. Most previews are made from local
    /// bytes; others read a part of a file that is not stored locally.
    func readsRemoteBytes(for kind: RenditionKey.Kind) -> Bool { remoteByteCount(for: kind) != nil }

    /// An upper limit for the number of bytes that must be fetched over a network to make a rendition of this kind. Nil
    /// if local bytes are enough. A number that is not positive means that the length of the file is unknown.
    func remoteByteCount(for kind: RenditionKey.Kind) -> Int? {
        kind == .preview ? prediction.remotePreviewByteCount : prediction.remoteByteCount
    }

    /// The part of a file that has to be fetched for a rendition, if the file is not stored locally.
    func fetchExtent(of key: RenditionKey) -> FetchExtent {
        switch key.kind {
        case .preview: .preview
        case .fast, .high:
            if prediction.isReadByRanges {
                .rendition(key.options)
            } else {
                asset.mediaType == .video ? .alternatives : .whole
            }
        case .original: .whole
        }
    }

    /// The same work for a render that fetches the whole file or, of a video, all frames from which the poster may be
    /// chosen. It is used after a decoder has needed bytes outside the
    /// ranges that were fetched.
    var fetchingWhole: RenderWork { RenderWork(asset: asset, prediction.fetchingWhole) }

    /// The predicted bytes of output and working memory of a render.
    func predictedByteCount(for kind: RenditionKey.Kind) -> Int {
        kind == .preview ? prediction.previewByteCount : prediction.predictedByteCount
    }

    /// The class of similar renders to which this render belongs; nil if the memory of this render is not measured.
    func memoryClass(for kind: RenditionKey.Kind) -> MemoryClass? {
        guard kind != .preview, let memoryClass = prediction.memoryClass, !memoryClass.isIsolated else { return nil }
        return memoryClass
    }

    /// The predicted bytes of output and working memory if the rendition is resampled from a cached rendition, without
    /// a decode.
    package var resamplingByteCount: Int {
        let (sum, overflows) = outputByteCount.addingReportingOverflow(Self.resamplerByteCount)
        return overflows ? prediction.predictedByteCount : min(prediction.predictedByteCount, sum)
    }

    /// Whether a render ends soon after it is told to stop. Previews count as stoppable, because they end soon in any
    /// case.
    func isStoppable(for kind: RenditionKey.Kind) -> Bool { kind == .preview || isStoppable }
}

extension RenderWork.MemoryClass {
    fileprivate init?(_ cost: RenderCost) {
        guard let decoder = cost.decoder, decoder != .vips else { return nil }
        self.init(decoder: decoder, isProgressive: cost.isProgressive, eighths: cost.decodeEighths)
        isIsolated = cost.isIsolated
    }
}
