/// The one result of a request that the cache answers.
package struct CachedAnswer: Sendable {
    package let shared: SharedImage
    package let requestID: ImageRequestID

    /// The facts about the result. They are copied only when this property is read, which happens outside the lock.
    package var info: ImageInfo { shared.cachedInfo(for: requestID) }
}
