/// The answer of a shared store to a look-up.
public enum SharedAnswer: Sendable, Equatable {
    /// The store has the value.
    case found(StoredValue)
    /// The store has no such value.
    case missing
    /// The store is not used at the moment, or has not answered in time.
    case unavailable
}
