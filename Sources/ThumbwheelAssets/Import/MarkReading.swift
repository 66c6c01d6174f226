import Dispatch
import ThumbwheelCore
import ThumbwheelLocks

/// Reads marks for assets that have none. A mark is for finding a file again under another path. Assets have none if
/// they come from a library's file of an earlier version, or if a host has added them. If the file of an asset has
/// another node (file number) than before, for example after a backup was restored, the mark gets the new node, and the
/// file is not read.
struct MarkReading {
    private let walk: FolderWalk
    private let read: Set<FilePath>
    private let known: KnownFiles
    private let token: CancellationToken

    /// - Parameter read: the files whose marks were read together with their heads.
    init(_ walk: FolderWalk, read: Set<FilePath>, _ known: KnownFiles, token: CancellationToken) {
        (self.walk, self.read, self.known, self.token) = (walk, read, known, token)
    }

    /// The marks that the library does not have yet, by the paths of the files.
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
