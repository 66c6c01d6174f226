/// The answer to a request whose image was in the cache. Such a request gets no other result.
package struct CachedAnswer: Sendable {
    package let shared: SharedImage
    package let requestID: ImageRequestID

    package init(shared: SharedImage, requestID: ImageRequestID) {
        self.shared = shared
        self.requestID = requestID
    }

    /// The facts about the result. They are copied only when this property is read, which happens outside the
    /// pipeline's lock.
    package var info: ImageInfo { shared.cachedInfo(for: requestID) }
}
