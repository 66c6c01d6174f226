/// A result on its way to a request's receiver.
package enum PipelineResult: Sendable {
    /// The fraction of the bytes that has come over the network; not a result yet.
    case progress(Double)
    case degraded(SharedImage, ImageInfo)
    case final(SharedImage, ImageInfo)
    case failed(ImageRequestError, ImageInfo)
    case cancelled

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
