/// The assets that the fetches of one user may return: all, none, or those of a set. It is made from the
/// `LibraryAccess` that the user's access policy states.
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

    /// Returns the assets that are allowed by both this value and `other`.
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
