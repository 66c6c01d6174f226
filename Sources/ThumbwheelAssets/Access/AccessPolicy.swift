/// The rights of one user of a library, supplied by the host and asked at each fetch and transaction; see
/// <doc:Semantics#Access>.
public protocol AccessPolicy: Sendable {
    /// What may be seen and done now.
    var access: LibraryAccess { get }

    /// Why the library cannot be changed at present, a volume that is gone for instance; nil where it can.
    var unavailabilityReason: (any Error)? { get }

    /// Whether a transaction may be committed. Nothing has changed when it is asked, and nothing will where it refuses.
    func allows(_ change: ProposedChange) -> Bool
}

extension AccessPolicy {
    public var unavailabilityReason: (any Error)? { nil }

    public func allows(_ change: ProposedChange) -> Bool { true }
}
