import ThumbwheelCore

/// What few requests have: somebody who wants to know their progress, or tokens that can end them.
package protocol ResultTracking: AnyObject, Sendable {
    var wantsProgress: Bool { get }

    /// - Returns: whether the request is to be stopped.
    func receive(progress fraction: Double) -> Bool

    /// Has `token` end the request by way of `cancel`, for as long as the request lives.
    func follow(_ token: CancellationToken, cancel: @escaping @Sendable () -> Void)

    /// The request has ended: no token is followed any more.
    func end()
}
