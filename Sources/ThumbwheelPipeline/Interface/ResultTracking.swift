import ThumbwheelCore

/// Reports the progress of a request to its caller, and lets cancellation tokens end the request. Few requests need
/// such an object.
package protocol ResultTracking: AnyObject, Sendable {
    var wantsProgress: Bool { get }

    /// Reports which fraction of the bytes has arrived.
    ///
    /// - Returns: whether the progress handler asks to stop the request.
    func receive(progress fraction: Double, of id: ImageRequestID) -> Bool

    /// Reports that the transfer of the bytes has failed with this error. The request ends with the same error.
    func receive(_ error: NetworkError, of id: ImageRequestID)

    /// Lets a cancellation token end the request: if `token` is cancelled while the request lives, `cancel` is called.
    func follow(_ token: CancellationToken, cancel: @escaping @Sendable () -> Void)

    /// Stops following all cancellation tokens, because the request has ended.
    func end()
}
