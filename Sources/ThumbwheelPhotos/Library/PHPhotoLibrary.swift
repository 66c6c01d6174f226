import Foundation
import Thumbwheel
import ThumbwheelLocks

/// The library that the process shares, in PhotoKit's spelling.
///
/// A service that has made a library of its own, or a view for one user, hands it over with `init(_:)`; the fetches of the model
/// classes, which name no library, ask the shared one.
public final class PHPhotoLibrary: NSObject, Sendable {
    private static let sharedLibrary = PHPhotoLibrary(.shared)

    /// The library in this library's own spelling.
    public let library: PhotoLibrary
    // The registrations of observers, by the observer.
    private let observations = Mutex<[ObjectIdentifier: [ChangeObservation]]>([:])

    /// Wraps a library or a view of one.
    public init(_ library: PhotoLibrary) {
        self.library = library
    }

    /// The library that the whole process shares: `PhotoLibrary.shared`.
    public static func shared() -> PHPhotoLibrary { sharedLibrary }

    // MARK: Access

    /// What the process may do. The shared library is the host's own, so nothing has to be asked for.
    public static func authorizationStatus(for level: PHAccessLevel) -> PHAuthorizationStatus {
        shared().library.authorizationStatus(for: level)
    }

    /// What the process may do; a limited view counts as authorized.
    public static func authorizationStatus() -> PHAuthorizationStatus {
        let status = authorizationStatus(for: .readWrite)
        return status == .limited ? .authorized : status
    }

    /// Returns what the process may do. Nobody is asked.
    public static func requestAuthorization(for level: PHAccessLevel) async -> PHAuthorizationStatus {
        authorizationStatus(for: level)
    }

    /// Calls a handler with what the process may do, on an arbitrary thread. Nobody is asked.
    public static func requestAuthorization(
        for level: PHAccessLevel, handler: @escaping @Sendable (PHAuthorizationStatus) -> Void
    ) {
        Task { handler(authorizationStatus(for: level)) }
    }

    /// Calls a handler with what the process may do, on an arbitrary thread; a limited view counts as authorized.
    public static func requestAuthorization(_ handler: @escaping @Sendable (PHAuthorizationStatus) -> Void) {
        Task { handler(authorizationStatus()) }
    }

    /// Why the library cannot be changed at present; nil if it can be changed.
    public var unavailabilityReason: (any Error)? { library.unavailabilityReason }

    // MARK: Observers

    /// Registers an observer of changes, which the library does not keep alive.
    public func register(_ observer: any PHPhotoLibraryChangeObserver) {
        let relay = ChangeRelay(observer)
        let observation = library.observeChanges { relay.tell($0) }
        observations.withLock { $0[ObjectIdentifier(observer), default: []].append(observation) }
    }

    /// Ends all registrations of an observer; it may be called from the observer's `deinit`. A call of the observer that has
    /// begun on another thread is waited for.
    public func unregisterChangeObserver(_ observer: any PHPhotoLibraryChangeObserver) {
        let ended = observations.withLock { $0.removeValue(forKey: ObjectIdentifier(observer)) } ?? []
        for observation in ended { observation.cancel() }
    }

    // MARK: Changes

    /// Runs a block whose change requests take place together, or not at all.
    ///
    /// - Throws: the error of the first request that was refused, with PhotoKit's domain and number.
    public func performChanges(_ block: @escaping @Sendable () -> Void) async throws {
        do {
            try await library.performChanges { transaction in try PHChangeBlock.run(&transaction, block) }
        } catch {
            throw NSError.photos(error)
        }
    }

    /// Runs a block whose change requests take place together, or not at all, and calls a handler on an arbitrary thread.
    public func performChanges(
        _ block: @escaping @Sendable () -> Void, completionHandler: (@Sendable (Bool, (any Error)?) -> Void)?
    ) {
        Task { [self] in
            do {
                try await performChanges(block)
                completionHandler?(true, nil)
            } catch {
                completionHandler?(false, error)
            }
        }
    }

    /// Runs a block whose change requests take place together, or not at all, on the calling thread, which waits.
    ///
    /// - Throws: the error of the first request that was refused, with PhotoKit's domain and number.
    @available(*, noasync, message: "await performChanges(_:) instead")
    public func performChangesAndWait(_ block: () -> Void) throws {
        do {
            try library.performChangesAndWait { transaction in try PHChangeBlock.run(&transaction, block) }
        } catch {
            throw NSError.photos(error)
        }
    }

    /// The present moment in the library's history.
    public var currentChangeToken: PHPersistentChangeToken { library.currentChangeToken }

    /// The changes since a moment, oldest first.
    ///
    /// - Throws: an error with PhotoKit's domain and number if the history does not reach back that far.
    public func fetchPersistentChanges(since token: PHPersistentChangeToken) throws -> [PersistentChange] {
        do {
            return try library.fetchPersistentChanges(since: token)
        } catch {
            throw NSError.photos(error)
        }
    }

    // MARK: Import

    /// Adds the photographs of a folder and its subfolders, or brings the library up to date with them.
    @discardableResult
    public func importFolder(at path: String) async throws -> ImportReport {
        try await library.importFolder(at: path)
    }
}

/// Hands changes to an observer that it does not keep alive.
private final class ChangeRelay: Sendable {
    private weak let observer: (any PHPhotoLibraryChangeObserver)?

    init(_ observer: any PHPhotoLibraryChangeObserver) {
        self.observer = observer
    }

    func tell(_ change: LibraryChange) { observer?.photoLibraryDidChange(PHChange(change)) }
}
