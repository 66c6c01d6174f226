import Foundation
import ThumbwheelCore

extension PhotoLibrary {
    /// Saves the library to a file: all assets and the descriptions of their resources, albums and folders, Recently
    /// Deleted, and the history of changes.
    ///
    /// The file has the contents of the library at one moment. Transactions and fetches continue while the file is
    /// written. Saving consists of these steps:
    ///
    /// 1. The new file is written to `path` with `.saving` appended, and flushed to the disk.
    /// 2. The new file is read back as in a load.
    /// 3. The old file also gets the name `path` with `.previous` appended, unless it is damaged. A file that had this
    ///    name loses it.
    /// 4. The new file is renamed to `path`.
    ///
    /// Up to step 4, the complete old file is at `path`; from then on, the complete new file. If there is an error, or
    /// the task is cancelled, or the process ends before step 4, the old file stays at `path`. There is one exception,
    /// on file systems without hard links: if the process ends between steps 3 and 4, the old file is only at `path`
    /// with `.previous` appended.
    ///
    /// From the second save on, there are two files: the new one, which has been checked by reading it, and the
    /// previous one.
    ///
    /// Bytes in memory are saved with their assets. Files are saved as paths, and providers as identifiers. The time is
    /// linear in the size of the library.
    ///
    /// A thread outside Swift's own pool waits for the disk, so other tasks are not delayed.
    ///
    /// - Throws: `LibraryFileError`. The existing file is then still there.
    public func save(to path: String) async throws(LibraryFileError) {
        try await LibraryFileWork.run { token throws(LibraryFileError) in try self.save(to: path, token: token) }
    }

    func save(to path: String, token: CancellationToken = CancellationToken()) throws(LibraryFileError) {
        guard case .full = policy.access else { throw .accessUserDenied }
        let file = try ReplacementFile(replacing: path)
        // The state is read after the file has been locked. So if several saves run at the same time, the last of them
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
    /// Everything is restored, including identifiers, content versions, and the order of assets and collections. If a
    /// folder that was imported is imported again, only files that have changed since are read. Change tokens from
    /// before the save remain valid. Changes that were made after the save are lost, and their tokens count as expired.
    ///
    /// - Parameters:
    ///   - configuration: the configuration of the library, because a file contains none; see
    ///     `init(configuration:now:)`.
    ///   - provider: returns the host program's provider with an identifier. It is called on any thread. If it returns
    ///     nil, the resource gets an `UnresolvedProvider`, which can be described and saved again, but not read.
    /// - Throws: `LibraryFileError` for any file that cannot be loaded. If the file is damaged,
    ///   `recover(from:configuration:provider:now:)` loads the undamaged parts. The file of an earlier save may exist
    ///   in the same folder, with `.previous` at the end of its name.
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
