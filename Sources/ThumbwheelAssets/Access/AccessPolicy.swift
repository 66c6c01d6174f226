/// The rights of one user of a library. The host program implements this protocol. The library asks the policy for the
/// rights at each fetch and at each transaction; see <doc:Semantics#Access>.
public protocol AccessPolicy: Sendable {
    /// The assets that the user may see and change at present.
    var access: LibraryAccess { get }

    /// The reason why the library cannot be changed at present, for example an unmounted volume; nil if the library can
    /// be changed.
    var unavailabilityReason: (any Error)? { get }

    /// Returns whether a transaction may be committed. The library calls this before it changes anything. If the result
    /// is false, the transaction is refused and nothing changes.
    func allows(_ change: ProposedChange) -> Bool
}

extension AccessPolicy {
    public var unavailabilityReason: (any Error)? { nil }

    public func allows(_ change: ProposedChange) -> Bool { true }
}
