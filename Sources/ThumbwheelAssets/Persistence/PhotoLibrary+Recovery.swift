import Foundation
import ThumbwheelCore

extension PhotoLibrary {
    /// Loads the undamaged parts of a library's file. Use it if the file is damaged or if `PhotoLibrary(loading:)`
    /// throws.
    ///
    /// The file consists of parts with a checksum each: groups of assets, albums, folders, and the history of changes.
    /// (In files of old formats, all albums and folders are one part.) If a checksum is wrong, the whole part is lost.
    /// The remaining albums and folders are repaired, so that the library can be saved and loaded again. The file is
    /// not changed. The file of an earlier save may exist in the same folder, with `.previous` at the end of its name;
    /// `PhotoLibrary(loading:)` can load it.
    ///
    /// - Parameters:
    ///   - path: the path of the damaged file.
    ///   - configuration: the configuration of the new library, because a file contains none; see
    ///     `init(configuration:now:)`.
    ///   - provider: called with the identifier of a resource provider that the file names. It returns the host
    ///     program's provider that has this identifier. It is called on any thread; see `init(loading:)`.
    /// - Returns: the library, which may be empty, and a report of its missing parts.
    /// - Throws: `LibraryFileError` if the file cannot be read, is not a library, or was written by a later version of
    ///   this software.
    /// - Complexity: linear in the length of the file. The whole file may be read into memory.
    public static func recover(
        from path: String, configuration: Configuration = Configuration(),
        provider: @escaping @Sendable (_ identifier: String) -> (any ResourceProvider)? = { _ in nil },
        now: @escaping @Sendable () -> Date = { Date() }
    ) async throws(LibraryFileError) -> (library: PhotoLibrary, report: RecoveryReport) {
        let recovery = try await LibraryFileWork.run { token throws(LibraryFileError) in
            let source: FileByteSource
            do throws(ByteSourceError) {
                source = try FileByteSource(path: path)
            } catch {
                throw LibraryFileError(error)
            }
            return try LibraryRecovery(
                source, historyByteLimit: configuration.historyByteLimit, token: token, provider)
        }
        return (PhotoLibrary(recovery.state, configuration, now), recovery.report)
    }
}
