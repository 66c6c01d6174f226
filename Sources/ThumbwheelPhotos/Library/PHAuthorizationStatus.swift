import Thumbwheel

/// What a process may do with a library.
public enum PHAuthorizationStatus: Int, Sendable {
    /// Nobody was asked yet. A view of a library never has this status.
    case notDetermined
    /// Nobody can grant access. A view of a library never has this status.
    case restricted
    /// Access at this level was refused.
    case denied
    /// Access at this level is granted, to the whole library.
    case authorized
    /// Access is granted to some of the assets.
    case limited
}

extension PhotoLibrary {
    /// What this view may do, by its access policy.
    func authorizationStatus(for level: PHAccessLevel) -> PHAuthorizationStatus {
        switch (access, level) {
        case (.full, _), (_, .addOnly): .authorized
        case (.addOnly, .readWrite): .denied
        case (.limited, .readWrite): .limited
        }
    }
}
