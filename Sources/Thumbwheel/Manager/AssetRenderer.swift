import ThumbwheelRendering

struct AssetRenderer: RenditionRenderer {
    let limits: RenderLimits
    func render(_ assignment: RenderAssignment) -> RenderOutcome { .stopped }
}
extension ImageOrder {
    var work: RenderWork { RenderWork(asset: asset, predictedByteCount: 0) }
    var isPreviewCheap: Bool { true }
}
