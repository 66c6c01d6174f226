/// The host itself.
public struct FullAccess: AccessPolicy {
    /// Makes the policy that allows everything.
    public init() {}

    public var access: LibraryAccess { .full }
}
