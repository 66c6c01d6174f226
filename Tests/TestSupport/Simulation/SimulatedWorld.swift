import Thumbwheel

/// What a simulated history is about: a few assets in a few sizes, so that requests meet in the same renditions.
struct SimulatedWorld {
    static let assetCount = 6
    static let sides = [64, 128, 256]
    static let previewSide = 48
    /// What the pipeline charges for a render from a preview.
    static let previewByteCount = 512 << 10

    /// Short, so that renders reach it.
    static let renderTimeLimit = Duration.milliseconds(40)
    /// The length of each file that is elsewhere.
    static let remoteByteCount = 300 << 10

    struct Picture {
        var asset: Int
        var side: Int
        var isCropped: Bool
    }

    func key(_ picture: Picture, kind: RenditionKey.Kind) -> RenditionKey {
        let crop = picture.isCropped ? NormalizedRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5) : nil
        return RenditionKey(
            subject: RenditionKey.Subject(
                asset: AssetIdentifier(high: 7, low: UInt64(picture.asset)), contentVersion: 1),
            kind: kind,
            options: RenderOptions(
                targetSize: PixelSize(width: picture.side, height: picture.side), normalizedCropRect: crop))
    }

    func work(for key: RenditionKey) -> RenderWork {
        RenderWork(
            asset: nil, predictedByteCount: predictedByteCount(for: key),
            predictedMilliseconds: Double(predictedByteCount(for: key) >> 14), isStoppable: isStoppable(key),
            remoteByteCount: isRemote(key) ? Self.remoteByteCount : nil)
    }

    /// Whether the asset's file has to come over a network.
    func isRemote(_ key: RenditionKey) -> Bool { asset(of: key) == 3 || asset(of: key) == 4 }

    /// Whether the decoder of a final rendition can be stopped; of the others, one is remote.
    func isStoppable(_ key: RenditionKey) -> Bool { key.kind == .preview || ![1, 3].contains(asset(of: key)) }

    /// Whether the asset's file is cut short: good for a partial image only.
    func isDamaged(_ key: RenditionKey) -> Bool { asset(of: key) == 5 }

    /// Whether the asset's file has a preview that pays.
    func hasPreview(_ key: RenditionKey) -> Bool { asset(of: key).isMultiple(of: 2) }

    /// What the pipeline reserves for the render of a rendition.
    func reservedByteCount(for key: RenditionKey) -> Int {
        key.kind == .preview ? Self.previewByteCount : predictedByteCount(for: key)
    }

    /// What a render gives. The kind of the rendition is recognised by the scale it claims.
    func image(for key: RenditionKey) -> PipelineImage {
        let side = key.kind == .preview ? Self.previewSide : key.options.targetSize.width
        return PipelineImage(
            bitmap: nil, pixelSize: PixelSize(width: side, height: side), byteCount: predictedByteCount(for: key) / 4,
            source: .reduced, eighths: Self.eighths(of: key.kind), decoder: .vips,
            isPartial: isDamaged(key) && key.kind == .fast)
    }

    static func eighths(of kind: RenditionKey.Kind) -> Int {
        switch kind {
        case .preview: 1
        case .fast: 4
        case .high, .original: 8
        }
    }

    private func asset(of key: RenditionKey) -> Int { Int(key.subject.asset.low) }

    private func predictedByteCount(for key: RenditionKey) -> Int {
        (asset(of: key) + 1) * (key.options.targetSize.width / 64) << 16
    }
}
