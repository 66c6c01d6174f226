/// Brings the bytes of resources that are elsewhere: the pipeline's way to the network.
package protocol ResourceFetcher: Sendable {
    /// Returns at once; calls `completion` once, soon after the assignment's token is cancelled.
    func fetch(
        _ assignment: FetchAssignment, progress: @escaping @Sendable (Double) -> Void,
        completion: @escaping @Sendable (FetchOutcome) -> Void
    )
}
