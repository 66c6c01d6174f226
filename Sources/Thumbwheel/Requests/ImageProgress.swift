import ThumbwheelPipeline

/// The progress of fetching a request's photograph over the network.
public struct ImageProgress: Sendable, Equatable {
    /// The request that waits for the bytes.
    public let requestID: ImageRequestID
    /// The fraction of the bytes that has arrived, from 0 to 1.
    public let fraction: Double
    /// The error that ended the fetch; nil while the fetch goes on. The request ends with the same error.
    public let error: ImageRequestError?

    init(requestID: ImageRequestID, fraction: Double, error: ImageRequestError? = nil) {
        self.requestID = requestID
        self.fraction = fraction
        self.error = error
    }
}
