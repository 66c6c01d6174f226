import Foundation
import ThumbwheelCore

extension PhotoLibrary {
    /// Saves the library to a file: all assets and their resources' descriptions, albums and folders, Recently Deleted,
    /// and the history of changes.
    ///
    /// The file holds the library's contents at one moment; transactions and fetches continue meanwhile. Saving takes
    /// these steps:
    ///
    /// 1. It writes the new file to `path` with `.saving` appended, and flushes it to the disk.
    /// 2. It reads the new file back as a load would.
    /// 3. It keeps the existing file, unless it is damaged, as `path` with `.previous` appended, replacing the file
    ///    that was kept before.
    /// 4. It renames the new file to `path`.
    ///
    /// An error, a cancellation or the end of the process leaves the existing file in place. There is one exception, on
    /// a file system without hard links: if the process ends between the last two steps, the existing file has the name
    /// of step 3. After the second save there are two files, and the newer one was verified by reading it back.
    ///
    /// Bytes in memory are saved with their assets; files are saved as paths, and providers as identifiers. Saving
    /// takes time linear in the library.
    ///
    /// The method is asynchronous, because a blocking method would occupy a thread of Swift's own pool for as long as
    /// the disk takes.
    ///
    /// - Throws: `LibraryFileError`; the existing file then stays in place.
    public func save(to path: String) async throws(LibraryFileError) {
        try await LibraryFileWork.run { token throws(LibraryFileError) in try self.save(to: path, token: token) }
    }

    func save(to path: String, token: CancellationToken = CancellationToken()) throws(LibraryFileError) {
        guard case .full = policy.access else { throw .accessUserDenied }
        let file = try ReplacementFile(replacing: path)
        // The state is read only after the file is locked. So if several saves run at the same time, the last one
        // writes the newest state.
        let state = core.read { $0 }
        try LibraryFileWriting.write(state, token: token) { bytes, offset throws(LibraryFileError) in
            try file.write(bytes, at: offset)
        }
        guard !token.isCancelled else { throw .cancelled }
        try file.commit { path, isNew throws(LibraryFileError) in
            let reading = try Self.reading(path, token: token)
            if isNew { try reading.verify() } else { try reading.verifyDigests() }
        }
    }

    /// Loads a saved library.
    ///
    /// The library is restored completely, including identifiers, content versions, and the order of assets and
    /// collections. Imported folders can be imported again, and only files that have changed since are read. Change
    /// tokens from before the save stay valid. Changes made after the save are lost, and their tokens are refused as
    /// expired.
    ///
    /// - Parameters:
    ///   - configuration: the library's configuration, which is not saved; see `init(configuration:now:)`.
    ///   - provider: returns the host's provider for an identifier; called on any thread. If it returns nil, the
    ///     resource gets an `UnresolvedProvider`, which can be described and saved again, but not read.
    /// - Throws: `LibraryFileError`, even if the file contains arbitrary bytes. For a damaged file,
    ///   `recover(from:configuration:provider:now:)` loads the undamaged parts; the previously saved library lies in
    ///   the same folder, with `.previous` appended to the file's name.
    public convenience init(
        loading path: String, configuration: Configuration = Configuration(),
        provider: @escaping @Sendable (_ identifier: String) -> (any ResourceProvider)? = { _ in nil },
        now: @escaping @Sendable () -> Date = { Date() }
    ) async throws(LibraryFileError) {
        let state = try await LibraryFileWork.run { token throws(LibraryFileError) in
            try Self.state(
                loading: path, provider, historyByteLimit: configuration.historyByteLimit, token: token)
        }
        self.init(state, configuration, now)
    }

    convenience init(
        _ state: LibraryCore.State, _ configuration: Configuration = Configuration(),
        _ now: @escaping @Sendable () -> Date = { Date() }
    ) {
        var history = state.history
        history.trim(toByteCount: state.snapshot.historyByteLimit(configuration.historyByteLimit))
        history.beginTimeline(at: state.snapshot.number)
        self.init(LibraryCore(configuration, now: now, snapshot: state.snapshot, history: history), FullAccess())
    }

    static func state(
        loading path: String, _ provider: @escaping ProviderResolver, historyByteLimit: Int = .max,
        token: CancellationToken = CancellationToken()
    ) throws(LibraryFileError) -> LibraryCore.State {
        try reading(path, token: token).state(provider, historyByteLimit: historyByteLimit)
    }

    private static func reading(
        _ path: String, token: CancellationToken
    ) throws(LibraryFileError) -> LibraryFileReading {
        let source: FileByteSource
        do throws(ByteSourceError) {
            source = try FileByteSource(path: path)
        } catch {
            throw LibraryFileError(error)
        }
        return try LibraryFileReading(source, token: token)
    }
}
