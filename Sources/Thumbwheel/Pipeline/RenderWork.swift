import ThumbwheelAssets
import ThumbwheelRendering

/// What a worker needs to make an asset's renditions, and what that is predicted to cost.
///
/// Made once per request, outside the lock; the pipeline hands it on and looks only at the predictions.
package final class RenderWork: Sendable {
    /// Nil in simulated runs.
    let asset: Asset?
    /// Output and working memory while the job runs.
    let predictedByteCount: Int

    package init(asset: Asset?, predictedByteCount: Int) {
        self.asset = asset
        self.predictedByteCount = predictedByteCount
    }
}
