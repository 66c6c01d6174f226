import ThumbwheelAssets
import ThumbwheelRendering

/// What a worker needs to make an asset's renditions, and what that is predicted to cost.
///
/// Made once per request, outside the lock; the pipeline hands it on and looks only at the predictions.
package final class RenderWork: Sendable {
    /// Nil in simulated runs.
    let asset: Asset?
    /// Output and working memory of a final rendition's render, or of handing out a file.
    private let predictedByteCount: Int

    /// What a render from an embedded preview is charged, whatever the photograph: previews are small.
    private static let previewByteCount = 512 << 10

    package init(asset: Asset?, predictedByteCount: Int) {
        self.asset = asset
        self.predictedByteCount = predictedByteCount
    }

    /// Output and working memory of a render.
    func predictedByteCount(for kind: RenditionKey.Kind) -> Int {
        kind == .preview ? Self.previewByteCount : predictedByteCount
    }
}
