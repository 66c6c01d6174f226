/// How a fetch ended.
package enum FetchOutcome: Sendable {
    case bytes(FetchedBytes)
    case failed(ImageRequestError)
    /// The fetch was cut short because it was told to stop.
    case stopped
}
