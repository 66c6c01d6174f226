import ThumbwheelPipeline

/// An object that reads and writes one store of finished renditions outside memory, for example a store on a disk.
package protocol RenditionKeeper: Sendable {
    /// Starts to look a rendition up, and returns at once. Calls `completion` exactly once, on another thread.
    func lookUp(_ assignment: LookUpAssignment, completion: @escaping @Sendable (consuming LookUpOutcome) -> Void)
    /// Queues a finished rendition, or the reason why it cannot be made, to be written to the store. Returns at once.
    /// If too much is queued already, the rendition or reason is dropped.
    func keep(_ assignment: KeepAssignment)
    /// Starts to claim a rendition, and returns at once. A claim asks a store that servers share whether another server
    /// is making the rendition:
    ///
    /// - If so, the claim waits for that server's result.
    /// - If not, this process becomes the only one that makes the rendition.
    ///
    /// `completion` is called exactly once, on another thread. If the assignment's token is cancelled first,
    /// `completion` is called soon afterwards.
    func claim(_ assignment: ClaimAssignment, completion: @escaping @Sendable (consuming ClaimOutcome) -> Void)
    /// Ends a claim that this process has won (`.won`) but for which it stores no result. Another server can then make
    /// the rendition. Returns at once.
    func endClaim(_ id: ClaimID)
    /// Returns when all that `keep` has queued is written, or when a time limit of the keeper has passed. Closes a
    /// store that belongs to the manager, such as the one on disk. The store that servers share belongs to the program
    /// that uses this library, and stays open.
    func close()
}

extension RenditionKeeper {
    package func claim(_ assignment: ClaimAssignment, completion: @escaping @Sendable (consuming ClaimOutcome) -> Void)
    {
        preconditionFailure("a claim in a tier that has none")
    }

    package func endClaim(_ id: ClaimID) {}
}
