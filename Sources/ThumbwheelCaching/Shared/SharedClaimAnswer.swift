/// The answer of a shared store to a claim.
public enum SharedClaimAnswer: Sendable, Equatable {
    /// Another server has made the value.
    case found(StoredValue)
    /// This process is to make the value, and must end the claim.
    case won
    /// The store does not know who makes the value.
    case unavailable
}
