import ThumbwheelAssets

/// A result on its way to a request's receiver.
package enum PipelineResult: Sendable {
    /// A progress report: the fraction of the file's bytes that has come over the network, from 0 to 1. It is delivered
    /// in order with the results, but is not a result itself.
    case progress(Double)
    case degraded(SharedImage, ImageInfo)
    case final(SharedImage, ImageInfo)
    case failed(ImageRequestError, ImageInfo)
    /// The request that was cancelled, and its asset.
    case cancelled(ImageRequestID, AssetIdentifier)

    package var isTerminal: Bool {
        switch self {
        case .progress, .degraded: false
        case .final, .failed, .cancelled: true
        }
    }

    package var image: SharedImage? {
        switch self {
        case .degraded(let image, _), .final(let image, _): image
        case .progress, .failed, .cancelled: nil
        }
    }
}
