/// The rights of one user of a library, supplied by the host and asked at each fetch and transaction; see
/// <doc:Semantics#Access>.
public protocol AccessPolicy: Sendable {
    /// The assets that the user may see and change at present.
    var access: LibraryAccess { get }

    /// Why the library cannot be changed at present, for instance because a volume is gone; nil if it can be changed.
    var unavailabilityReason: (any Error)? { get }

    /// Whether a transaction may be committed. Nothing has changed when this is called, and nothing will change if it
    /// returns false.
    func allows(_ change: ProposedChange) -> Bool
}

extension AccessPolicy {
    public var unavailabilityReason: (any Error)? { nil }

    public func allows(_ change: ProposedChange) -> Bool { true }
}
