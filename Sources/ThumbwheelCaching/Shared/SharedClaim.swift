/// A claim on a value in a shared store.
public protocol SharedClaim: Sendable {
    /// Ends the claim, and returns at once.
    ///
    /// A claim that waits for another server is answered with `.unavailable` soon, if it has not been answered. After a
    /// claim that was won, the servers that wait look again: they find the value if `put` was called before, and
    /// otherwise one of them wins.
    func end()

    /// Ends a claim that was won, where the value was made but cannot be kept, whoever makes it, for example because it is
    /// too large. Returns at once.
    ///
    /// The servers that wait are all answered with `.unavailable`, so that they make the value at the same time. By default
    /// this is `end`, after which they make it one after another.
    func endWithoutValue()
}

extension SharedClaim {
    public func endWithoutValue() { end() }
}
