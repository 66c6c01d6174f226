/// A claim on a value in a shared store.
public protocol SharedClaim: Sendable {
    /// Ends the claim, and returns at once.
    ///
    /// A claim that waits for another server is answered with `.unavailable` soon, if it has not been answered. After a
    /// claim that was won, the servers that wait look again: they find the value if `put` was called before, and
    /// otherwise one of them wins.
    func end()
}
