/// How a fetch ended.
package enum FetchOutcome: Sendable {
    case bytes(FetchedBytes)
    case failed(ImageRequestError)
    /// Cut short because it was told to stop.
    case stopped
}
