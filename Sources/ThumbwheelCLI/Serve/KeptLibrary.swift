import Foundation
import Thumbwheel
import ThumbwheelLocks

/// A library that is saved to a file as it changes, so that favourites and albums outlive the process.
final class KeptLibrary: Sendable {
    let library: PhotoLibrary
    private let path: String
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Loads the library from a file, or makes one if there is no file yet.
    init(path: String) async throws(CommandError) {
        self.path = path
        do throws(LibraryFileError) {
            library = try await PhotoLibrary(loading: path)
        } catch .notFound {
            library = PhotoLibrary()
        } catch {
            throw CommandError("--library \(path): \(error)")
        }
    }

    /// Begins to save what changes, some seconds after it has changed: many changes at once make one file. Saving takes at most a
    /// tenth of the time.
    func begin() {
        let task = Task { [library, path] in
            var pause = Duration.seconds(2)
            for await _ in library.changes {
                do { try await Task.sleep(for: pause) } catch { return }
                let time = await ContinuousClock().measure { await Self.save(library, path) }
                pause = max(.seconds(2), time * 10)
            }
        }
        self.task.withLock { $0 = task }
    }

    /// Saves the library a last time, once nothing changes it any more.
    func end() async {
        let task = task.withLock { $0.take() }
        task?.cancel()
        await task?.value
        await Self.save(library, path)
    }

    private static func save(_ library: PhotoLibrary, _ path: String) async {
        do throws(LibraryFileError) {
            try await library.save(to: path)
        } catch .cancelled {
            // The last save follows.
        } catch {
            report("\(path): \(error)")
        }
    }
}
