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

/// The assets that a view of a library sees and may change.
public enum LibraryAccess: Sendable {
    /// All assets are seen and may be changed.
    case full
    /// Nothing is seen; assets may be created.
    case addOnly
    /// Only these assets are seen and may be changed; others may be created, and are seen once they are in the set. Albums
    /// and folders are seen, without a count of their assets, and may be changed: `allows` can refuse that.
    case limited(to: Set<AssetIdentifier>)
}

/// The host itself.
public struct FullAccess: AccessPolicy {
    /// Makes the policy that allows everything.
    public init() {}

    public var access: LibraryAccess { .full }
}

/// The changes that a transaction is about to make.
public struct ProposedChange: Sendable {
    /// Assets that the transaction creates.
    public var createdAssets: [AssetIdentifier]
    /// Assets whose properties, pixels or place change.
    public var updatedAssets: [AssetIdentifier]
    /// Moved to Recently Deleted; these are among `updatedAssets` as well.
    public var trashedAssets: [AssetIdentifier]
    /// Gone for good.
    public var deletedAssets: [AssetIdentifier]
    /// Albums and folders that the transaction creates.
    public var createdCollections: [CollectionIdentifier]
    /// Albums and folders whose title, members or place change.
    public var updatedCollections: [CollectionIdentifier]
    /// Albums and folders that the transaction deletes.
    public var deletedCollections: [CollectionIdentifier]
}

/// What a fetch may see.
enum AccessView: Sendable, Equatable {
    case all, nothing
    case limited(Set<AssetIdentifier>)

    init(_ access: LibraryAccess) {
        switch access {
        case .full: self = .all
        case .addOnly: self = .nothing
        case .limited(let identifiers): self = .limited(identifiers)
        }
    }

    /// The view that allows only what both views allow.
    func narrowed(to other: AccessView) -> AccessView {
        switch (self, other) {
        case (.all, _): other
        case (_, .all): self
        case (.nothing, _), (_, .nothing): .nothing
        case (.limited(let one), .limited(let other)): one == other ? self : .limited(one.intersection(other))
        }
    }

    func sees(_ identifier: AssetIdentifier) -> Bool {
        switch self {
        case .all: true
        case .nothing: false
        case .limited(let identifiers): identifiers.contains(identifier)
        }
    }
}
