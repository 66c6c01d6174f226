import Foundation
import Thumbwheel
import ThumbwheelLocks

/// A library that is saved to a file as it changes, so that favourites and albums outlive the process. No other process keeps
/// its library in that file meanwhile: each would overwrite what the other has saved.
final class KeptLibrary: Sendable {
    let library: PhotoLibrary
    private let path: String
    private let lock: FileLock
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Loads the library from a file, or makes one if there is no file yet.
    init(path: String) async throws(CommandError) {
        self.path = path
        do throws(CommandError) {
            lock = try FileLock(path: path)
        } catch {
            throw CommandError("--library \(error.message)")
        }
        do throws(LibraryFileError) {
            library = try await PhotoLibrary(loading: path)
        } catch .notFound {
            library = PhotoLibrary()
        } catch {
            throw CommandError("--library \(path): \(error)")
        }
    }

    /// Begins to save what changes, some seconds after it has changed: many changes at once make one file. Saving takes at most a
    /// tenth of the time. A save that has failed is tried again after half a minute.
    func begin() {
        let task = Task { [library, path] in
            var changes = library.changes.makeAsyncIterator()
            var pause = Duration.seconds(2)
            // The iterator tells of changes from now on. The first save has those that came before it.
            repeat {
                var isSaved = false
                while !isSaved {
                    do { try await Task.sleep(for: pause) } catch { return }
                    let start = ContinuousClock.now
                    isSaved = await Self.save(library, path)
                    pause = max(.seconds(isSaved ? 2 : 30), start.duration(to: .now) * 10)
                }
            } while await changes.next() != nil
        }
        self.task.withLock { $0 = task }
    }

    /// Saves the library a last time, once nothing changes it any more.
    func end() async {
        let task = task.withLock { $0.take() }
        task?.cancel()
        await task?.value
        _ = await Self.save(library, path)
    }

    /// - Returns: whether the library was saved.
    private static func save(_ library: PhotoLibrary, _ path: String) async -> Bool {
        do throws(LibraryFileError) {
            try await library.save(to: path)
            return true
        } catch .cancelled {
            // The last save follows.
        } catch {
            report("\(path): \(error)")
        }
        return false
    }
}
