import Foundation
import ThumbwheelCore

extension PhotoLibrary {
    /// Saves the library to a file: all assets and their resources' descriptions, albums and folders, Recently Deleted,
    /// and the history of changes.
    ///
    /// The file holds one moment of the library; transactions and fetches go on meanwhile. Saving takes these steps:
    ///
    /// 1. It writes the new file to `path` with `.saving` appended, and makes it durable.
    /// 2. It reads the new file back as a load would.
    /// 3. It keeps the existing file, unless damaged, as `path` with `.previous` appended, in place of the one kept
    ///    before.
    /// 4. It renames the new file to `path`.
    ///
    /// An error, a cancellation or the end of the process leaves the existing file in place. From the second save on there
    /// are two files, the newer of which was read back as it was saved.
    ///
    /// Bytes in memory are saved with their assets; files are saved as paths, and providers as identifiers. Linear in
    /// the library.
    ///
    /// A method that waits would hold up a thread of Swift's own pool for as long as the disk takes, so this is none.
    ///
    /// - Throws: `LibraryFileError`; the file before it is left in place then.
    public func save(to path: String) async throws(LibraryFileError) {
        try await LibraryFileWork.run { token throws(LibraryFileError) in try self.save(to: path, token: token) }
    }

    func save(to path: String, token: CancellationToken = CancellationToken()) throws(LibraryFileError) {
        guard case .full = policy.access else { throw .accessUserDenied }
        let file = try ReplacementFile(replacing: path)
        // Taken now that nobody else writes the file: of several that save at once the last has the newest.
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

    /// Loads a library that was saved.
    ///
    /// It is what it was: identifiers, content versions, orders and all; folders that were imported can be imported again,
    /// and only what has changed since is read. Change tokens from before the saving are good; those of changes that were
    /// made after it, and so lost, are refused as expired.
    ///
    /// - Parameters:
    ///   - configuration: is not saved; see `init(configuration:now:)`.
    ///   - provider: gives the host's provider for an identifier, on any thread. Where it has none, the resource gets an
    ///     `UnresolvedProvider`, and can be described and saved again, but not read.
    /// - Throws: `LibraryFileError`, whatever bytes the file has. For a damaged file,
    ///   `recover(from:configuration:provider:now:)` loads the sound parts; the library saved before lies beside it,
    ///   with `.previous` appended to its name.
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
