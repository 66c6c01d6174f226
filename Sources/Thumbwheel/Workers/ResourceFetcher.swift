/// Fetches the bytes of resources that are not stored locally. The pipeline reaches the network only through this
/// protocol.
package protocol ResourceFetcher: Sendable {
    /// Starts a fetch and returns at once. It calls `completion` exactly once, and soon if the assignment's token is
    /// cancelled.
    func fetch(
        _ assignment: FetchAssignment, progress: @escaping @Sendable (Double) -> Void,
        completion: @escaping @Sendable (FetchOutcome) -> Void
    )
}
