import ThumbwheelCore

/// Tracks a request for a caller that wants to know its progress, or for tokens that can end it. Few requests need this.
package protocol ResultTracking: AnyObject, Sendable {
    var wantsProgress: Bool { get }

    /// - Returns: whether the request is to be stopped.
    func receive(progress fraction: Double) -> Bool

    /// Lets `token` end the request by calling `cancel`, for as long as the request lives.
    func follow(_ token: CancellationToken, cancel: @escaping @Sendable () -> Void)

    /// Stops following all tokens, because the request has ended.
    func end()
}
