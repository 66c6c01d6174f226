import Dispatch
import ThumbwheelCore
import ThumbwheelLocks

/// Computes the marks that the library lacks. A mark is the data by which imports recognize a moved or renamed file. An
/// asset has no mark in two cases:
///
/// - The library was saved by an older release of this software, which knew no marks.
/// - The program that uses this library has added the asset, so that it was not imported.
///
/// If the file of an asset has a new inode number, for example after a backup was restored, its mark gets the new
/// number. The file is not read for this.
struct MarkReading {
    private let walk: FolderWalk
    private let read: Set<FilePath>
    private let known: KnownFiles
    private let token: CancellationToken

    /// Prepares the computation of the missing marks.
    ///
    /// - Parameter read: the files that this import has read. Their marks, by which later imports recognize moved
    ///   files, are already known.
    init(_ walk: FolderWalk, read: Set<FilePath>, _ known: KnownFiles, token: CancellationToken) {
        (self.walk, self.read, self.known, self.token) = (walk, read, known, token)
    }

    /// The marks (the data by which imports recognize a moved file) that the library does not have yet, by the paths of
    /// the files.
    var marks: [FilePath: FileMark] {
        var marks: [FilePath: FileMark] = [:]
        var unsampled: [FolderWalk.File] = []
        for file in walk.files where !read.contains(file.path) {
            guard let row = known.row(ofFile: file.path) else { continue }
            let mark = known.mark(of: row)
            if mark.sample == 0 {
                unsampled.append(file)
            } else if mark.node != file.node, !known.hasMoved(row) {
                marks[file.path] = FileMark(node: file.node, sample: mark.sample)
            }
        }
        let samples = Mutex<[Int: UInt64]>([:])
        DispatchQueue.concurrentPerform(iterations: unsampled.count) { [token, unsampled] index in
            guard !token.isCancelled, let source = try? FileByteSource(path: unsampled[index].path.text) else { return }
            let sample = FileMark.sample(of: source)
            samples.withLock { $0[index] = sample }
        }
        for (index, sample) in samples.withLock({ $0 }) {
            marks[unsampled[index].path] = FileMark(node: unsampled[index].node, sample: sample)
        }
        return marks
    }
}
