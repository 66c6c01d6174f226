import Foundation
import ThumbwheelCore

extension PhotoLibrary {
    /// Loads the undamaged parts of a library's file that is damaged or that `PhotoLibrary(loading:)` refuses.
    ///
    /// A part whose checksum is wrong is lost as a whole. Albums and folders in the other parts are repaired, so that the
    /// library can be saved and loaded again. The file itself is not changed. The previously saved library may lie in the
    /// same folder, with `.previous` appended to the file's name; `PhotoLibrary(loading:)` can load it.
    ///
    /// - Parameters:
    ///   - path: the path of the damaged file.
    ///   - configuration: the new library's configuration, which files do not hold; see `init(configuration:now:)`.
    ///   - provider: returns the host's provider for an identifier; called on any thread; see `init(loading:)`.
    /// - Returns: the library, which may be empty, and a report of the parts that it lacks.
    /// - Throws: `LibraryFileError` if the file cannot be read, is not a library, or was written by a later version of
    ///   this software.
    /// - Complexity: linear in the file, all of which may be read into memory.
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
