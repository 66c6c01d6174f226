import Thumbwheel

extension PHPhotoLibrary {
    /// The present moment in the library's history.
    public var currentChangeToken: PHPersistentChangeToken { library.currentChangeToken }

    /// The blocks of changes since a moment, oldest first.
    ///
    /// - Throws: `PHPhotosError` with the number `persistentChangeTokenExpired` if the history does not reach back that far.
    public func fetchPersistentChanges(since token: PHPersistentChangeToken) throws -> PHPersistentChangeFetchResult {
        do throws(PersistentChangeError) {
            return PHPersistentChangeFetchResult(try library.fetchPersistentChanges(since: token))
        } catch {
            throw PHPhotosError.of(error)
        }
    }
}
