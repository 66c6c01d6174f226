import Foundation
import ThumbwheelCore

extension PhotoLibrary {
    /// Loads what is sound of a library's file that is damaged, or that this software refuses to load for what it says.
    ///
    /// Parts of the file are lost as a whole where their checksums are wrong; of what is left, albums and folders are mended
    /// so that the library can be saved and loaded again. The file stays as it is. Beside it may lie the library that was
    /// saved before, which `PhotoLibrary(loading:)` loads, with `.previous` behind the name.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - configuration: is not saved; see `init(configuration:now:)`.
    ///   - provider: gives the host's provider for an identifier, on any thread; see `init(loading:)`.
    /// - Returns: the library, which may be empty, and what it lacks.
    /// - Throws: `LibraryFileError` where the file cannot be read, is of another software, or of a later version of this.
    /// - Complexity: linear in the file, all of which may come into memory.
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
            return try LibraryRecovery(source, token: token, provider)
        }
        return (PhotoLibrary(recovery.state, configuration, now), recovery.report)
    }
}
