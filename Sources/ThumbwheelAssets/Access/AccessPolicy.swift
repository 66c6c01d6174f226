/// The rights of one user of a library. The host supplies them, and the library asks for them at each fetch and
/// transaction; see <doc:Semantics#Access>.
public protocol AccessPolicy: Sendable {
    /// The assets that the user may see and change at present.
    var access: LibraryAccess { get }

    /// Why the library cannot be changed at present, for instance because a volume is gone; nil if it can be changed.
    var unavailabilityReason: (any Error)? { get }

    /// Whether a transaction may be committed. When this is called, nothing has changed yet. If it returns false,
    /// nothing will change.
    func allows(_ change: ProposedChange) -> Bool
}

extension AccessPolicy {
    public var unavailabilityReason: (any Error)? { nil }

    public func allows(_ change: ProposedChange) -> Bool { true }
}
