import ThumbwheelPipeline

/// Stores that keep finished renditions outside memory, for example on a disk.
package protocol RenditionKeeper: Sendable {
    /// Starts to look a rendition up, and returns at once. It calls `completion` exactly once, on another thread.
    func lookUp(_ assignment: LookUpAssignment, completion: @escaping @Sendable (consuming LookUpOutcome) -> Void)
    /// Queues a finished rendition, or the reason why it cannot be made, to be written to the stores. Returns at once.
    func keep(_ assignment: KeepAssignment)
    /// Claims a rendition: asks the store that servers share whether another server is making the rendition. If so,
    /// waits for that server's result; if not, this process becomes the only one that makes the rendition. Returns at
    /// once. It calls `completion` exactly once, on another thread, and soon after the assignment's token is cancelled.
    func claim(_ assignment: ClaimAssignment, completion: @escaping @Sendable (consuming ClaimOutcome) -> Void)
    /// Ends a claim that this process has won (`.won`) but for which it stores no result. Another server can then make
    /// the rendition. Returns at once.
    func endClaim(_ id: ClaimID)
    /// Writes everything that `keep` has queued, ends the threads of the stores, and then returns.
    func close()
}

extension RenditionKeeper {
    package func claim(_ assignment: ClaimAssignment, completion: @escaping @Sendable (consuming ClaimOutcome) -> Void)
    {
        preconditionFailure("a claim in a tier that has none")
    }

    package func endClaim(_ id: ClaimID) {}
}
