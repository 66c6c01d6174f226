/// The whole of a request that the cache answers: its one result.
package struct CachedAnswer: Sendable {
    package let shared: SharedImage
    package let requestID: ImageRequestID

    /// Copied when it is asked for, which is outside the lock.
    package var info: ImageInfo { shared.cachedInfo(for: requestID) }
}
