/// The policy of the host itself: everything may be seen and changed.
public struct FullAccess: AccessPolicy {
    /// Makes the policy that allows everything.
    public init() {}

    public var access: LibraryAccess { .full }
}
