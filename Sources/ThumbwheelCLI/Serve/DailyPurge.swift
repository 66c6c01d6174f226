import Foundation
import Thumbwheel
import ThumbwheelLocks

/// Deletes for good what has been in Recently Deleted for so many days: photographs whose files are gone. They would stay in the library
/// for ever otherwise.
final class DailyPurge: Sendable {
    private let task: Mutex<Task<Void, Never>?>

    /// Begins: at once, and then once a day.
    ///
    /// - Parameter days: 0 deletes nothing.
    init(of library: PhotoLibrary, days: Int) {
        guard days > 0 else {
            task = Mutex(nil)
            return
        }
        let task = Task {
            repeat {
                await Self.purge(library, before: Date(timeIntervalSinceNow: -86_400 * Double(days)))
            } while (try? await Task.sleep(for: .seconds(86_400))) != nil
        }
        self.task = Mutex(task)
    }

    /// Deletes what was moved to Recently Deleted before a date. Without any such photograph there is no transaction.
    static func purge(_ library: PhotoLibrary, before date: Date) async {
        let deleted = library.fetchAssetCollections(with: .smartAlbum)
            .first { $0.assetCollectionSubtype == .smartAlbumRecentlyDeleted }
        guard let deleted, library.countOfAssets(in: deleted) > 0 else { return }
        do {
            try await library.performChanges { try $0.deleteAssetsPermanently(trashedBefore: date) }
        } catch {
            report("what is in Recently Deleted stays there: \(error)")
        }
    }

    func end() { task.withLock { $0.take() }?.cancel() }
}
