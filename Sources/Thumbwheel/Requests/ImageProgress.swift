import ThumbwheelPipeline

/// How far the bytes of a request's photograph have come over the network.
public struct ImageProgress: Sendable, Equatable {
    /// The request that waits for the bytes.
    public let requestID: ImageRequestID
    /// The fraction of the bytes that has arrived, from 0 to 1.
    public let fraction: Double
    /// The reason why no more bytes come; nil while they come. The request then ends with this error, unless it is shown what
    /// is at hand.
    public let error: ImageRequestError?

    init(requestID: ImageRequestID, fraction: Double, error: ImageRequestError? = nil) {
        self.requestID = requestID
        self.fraction = fraction
        self.error = error
    }
}
