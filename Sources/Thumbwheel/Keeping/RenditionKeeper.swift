import ThumbwheelPipeline

/// The tiers below memory, as the pipeline reaches them.
package protocol RenditionKeeper: Sendable {
    /// Starts a look-up and returns at once. It calls `completion` exactly once, on another thread.
    func lookUp(_ assignment: LookUpAssignment, completion: @escaping @Sendable (consuming LookUpOutcome) -> Void)
    /// Takes a rendition, or the reason why it cannot be made. It never waits.
    func keep(_ assignment: KeepAssignment)
    /// Writes what it has taken, and ends its threads. It waits for that.
    func close()
}
