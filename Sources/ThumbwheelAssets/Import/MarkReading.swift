import Dispatch
import ThumbwheelCore
import ThumbwheelLocks

/// The reading of marks for assets that have none: those from a library's file of an earlier version, and those that a host has
/// added. An asset whose file has another node than before, as after a restored backup, gets its new node without reading.
struct MarkReading {
    private let walk: FolderWalk
    private let read: Set<FilePath>
    private let known: KnownFiles
    private let token: CancellationToken

    /// - Parameter read: the files whose marks have been read with their heads.
    init(_ walk: FolderWalk, read: Set<FilePath>, _ known: KnownFiles, token: CancellationToken) {
        (self.walk, self.read, self.known, self.token) = (walk, read, known, token)
    }

    /// The marks that the library lacks, by the paths of the files.
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
