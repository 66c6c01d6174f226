/// A policy that allows everything. The host program itself usually uses it.
public struct FullAccess: AccessPolicy {
    /// Makes the policy.
    public init() {}

    public var access: LibraryAccess { .full }
}
