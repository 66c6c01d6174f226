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
    let changeObservers = PHObserverTable()
    let availabilityObservers = PHObserverTable()
    // The folder that the host has set.
    private let chosenFolder = Mutex<URL?>(nil)

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

    /// The folder for the library's own files: files that come with `PHAssetResourceCreationOptions.shouldMoveFile`
    /// move into it, and renderings, drawn pictures and bytes are written to it. It is `Thumbwheel/Originals` in the
    /// user's folder for applications, unless the host sets another, and is made for the first file. The library never
    /// removes a file from it: a library that was saved earlier may still need it.
    public var originalsFolder: URL {
        get {
            if let folder = chosenFolder.withLock({ $0 }) { return folder }
            let applications = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
            return applications[0].appendingPathComponent("Thumbwheel/Originals", isDirectory: true)
        }
        set { chosenFolder.withLock { $0 = newValue } }
    }

    // MARK: Changes

    /// Runs a block whose change requests take place together, or not at all.
    ///
    /// - Throws: `PHPhotosError`, the error of the first request that was refused.
    public func performChanges(_ block: @escaping @Sendable () -> Void) async throws {
        do {
            try await library.performChanges { [originalsFolder] transaction in
                try PHChangeBlock.run(&transaction, movingFilesTo: originalsFolder, block)
            }
        } catch {
            throw PHPhotosError.of(error)
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
    /// - Throws: `PHPhotosError`, the error of the first request that was refused.
    @available(*, noasync, message: "await performChanges(_:) instead")
    public func performChangesAndWait(_ block: () -> Void) throws {
        do {
            try library.performChangesAndWait { transaction in
                try PHChangeBlock.run(&transaction, movingFilesTo: originalsFolder, block)
            }
        } catch {
            throw PHPhotosError.of(error)
        }
    }

    // MARK: Import

    /// Adds the photographs of a folder and its subfolders, or brings the library up to date with them.
    @discardableResult
    public func importFolder(at path: String) async throws -> ImportReport {
        try await library.importFolder(at: path)
    }
}
