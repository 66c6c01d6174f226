import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

/// What a simulated history is about: a few assets in a few sizes, so that requests meet in the same renditions.
enum SimulatedWorld {
    static let assetCount = 6
    static let sides = [64, 128, 256]
    /// More than the smallest rendition, less than the others.
    static let previewSide = 96
    /// What the pipeline charges for a render from a preview.
    static let previewByteCount = 512 << 10
    /// Short, so that renders reach it.
    static let renderTimeLimit = Duration.milliseconds(40)
    /// Short, so that other servers are late at times.
    static let claimTimeout = Duration.milliseconds(60)
    /// The length of each file that is elsewhere.
    static let remoteByteCount = 300 << 10
    /// How many files may be on their way at once.
    static let fetchLimit = 2

    static func key(of picture: SimulatedPicture, isEncoded: Bool = false) -> RenditionKey {
        let crop = picture.isCropped ? NormalizedRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5) : nil
        return RenditionKey(
            subject: RenditionKey.Subject(asset: identifier(of: picture.asset), contentVersion: 1),
            kind: picture.isFast ? .fast : .high,
            options: RenderOptions(
                targetSize: PixelSize(width: picture.side, height: picture.side),
                contentMode: picture.isFitted ? .aspectFit : .aspectFill, normalizedCropRect: crop),
            encoding: isEncoded ? .jpeg(quality: 85) : nil)
    }

    /// The picture of a final rendition's key.
    static func picture(of key: RenditionKey) -> SimulatedPicture {
        SimulatedPicture(
            asset: asset(of: key), side: key.options.targetSize.width,
            isCropped: key.options.normalizedCropRect != nil, isFitted: key.options.contentMode == .aspectFit,
            isFast: key.kind == .fast)
    }

    static func identifier(of asset: Int) -> AssetIdentifier { AssetIdentifier(high: 7, low: UInt64(asset)) }

    /// All final renditions that requests may ask for.
    static func keys(of asset: Int) -> [RenditionKey] {
        sides.flatMap { side in
            (0..<16).map { bits in
                let picture = SimulatedPicture(
                    asset: asset, side: side, isCropped: bits & 1 > 0, isFitted: bits & 2 > 0, isFast: bits & 4 > 0)
                return key(of: picture, isEncoded: bits & 8 > 0)
            }
        }
    }

    static func work(for key: RenditionKey, of host: HostWatch) -> RenderWork {
        RenderWork(
            asset: host.asset(key.subject.asset), predictedByteCount: predictedByteCount(for: key),
            outputByteCount: outputByteCount(for: key),
            predictedMilliseconds: Double(predictedByteCount(for: key) >> 14),
            decodeEighths: key.options.targetSize.width / 32, geometry: geometry(of: key),
            isStoppable: isStoppable(key),
            remoteByteCount: isRemote(key) ? remoteByteCount : nil)
    }

    /// All assets are square: whether they are to be fitted or filled, the picture is the same.
    private static func geometry(of key: RenditionKey) -> RenditionGeometry? {
        try? RenditionGeometry(displaySize: PixelSize(width: 1024, height: 1024), options: key.options)
    }

    /// Whether the asset's file has to come over a network.
    static func isRemote(_ key: RenditionKey) -> Bool { asset(of: key) == 3 || asset(of: key) == 4 }

    /// Whether the decoder of a final rendition can be stopped; of the others, one is remote.
    static func isStoppable(_ key: RenditionKey) -> Bool { key.kind == .preview || ![1, 3].contains(asset(of: key)) }

    /// Whether the asset's file is cut short: good for a partial image only.
    static func isDamaged(_ key: RenditionKey) -> Bool { asset(of: key) == 5 }

    /// Whether the asset's file has a preview that pays.
    static func hasPreview(_ key: RenditionKey) -> Bool { asset(of: key).isMultiple(of: 2) }

    /// What the pipeline reserves for a render: working memory once, and every output.
    static func reservedByteCount(for job: RenderAssignment) -> Int {
        guard job.key.kind != .preview else { return previewByteCount }
        if let tier = job.packingTier { return tier.expectedByteCount(of: job.input!.shared.facts.byteCount) }
        if job.input?.box != nil || job.input?.isPacked ?? false { return job.work.resamplingByteCount }
        let working = job.keys.map { predictedByteCount(for: $0) - outputByteCount(for: $0) }.max()!
        return working + job.keys.reduce(0) { $0 + outputByteCount(for: $1) }
    }

    /// What a render gives. The kind of the rendition is recognised by the scale it claims.
    static func image(for key: RenditionKey) -> PipelineImage {
        let side = key.kind == .preview ? previewSide : key.options.targetSize.width
        return PipelineImage(
            .onePixel(),
            ImageFacts(
                pixelSize: PixelSize(width: side, height: side), byteCount: outputByteCount(for: key),
                source: .reduced, eighths: eighths(of: key.kind), decoder: .vips,
                isPartial: isDamaged(key) && key.kind == .fast))
    }

    /// More than any image takes.
    static let largestOutputByteCount = 6 << 16

    /// What packing makes of an image.
    static func packed(_ facts: ImageFacts, for tier: MemoryTier) -> PipelineImage {
        var facts = facts
        facts.memoryTier = tier
        facts.byteCount = facts.byteCount * 5 / 8
        return PipelineImage(.blankPacked, facts)
    }

    static func eighths(of kind: RenditionKey.Kind) -> Int {
        switch kind {
        case .preview: 1
        case .fast: 4
        case .high, .original: 8
        }
    }

    /// A rendition in words.
    static func name(of key: RenditionKey) -> String {
        let crop = key.options.normalizedCropRect == nil ? "" : " cropped"
        let content = key.options.contentMode == .aspectFit ? " fitted" : ""
        let encoding = key.encoding == nil ? "" : " as a file"
        return "asset \(asset(of: key)) \(key.kind) \(key.options.targetSize.width) px\(crop)\(content)\(encoding)"
    }

    static func asset(of subject: RenditionKey.Subject) -> Int { Int(subject.asset.low) }

    private static func asset(of key: RenditionKey) -> Int { asset(of: key.subject) }

    static func outputByteCount(for key: RenditionKey) -> Int { predictedByteCount(for: key) / 4 }

    private static func predictedByteCount(for key: RenditionKey) -> Int {
        (asset(of: key) + 1) * (key.options.targetSize.width / 64) << 16
    }
}
