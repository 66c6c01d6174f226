import Foundation
import ThumbwheelLocks

/// Writes the bytes of a resource into a file. The file has a temporary name until it is complete, and only then gets
/// its real name.
final class FileSink: ResourceSink {
    private enum State {
        case unopened
        case open(UnfinishedFile, byteCount: Int, endsInHole: Bool)
        case over
    }

    private let path: String
    // The lock is held while a chunk is written, so that no write follows the removal of the file.
    private let state = Mutex(State.unopened)

    init(path: String) {
        self.path = path
    }

    func receive(_ chunk: [UInt8]) throws(AssetResourceError) {
        try change { state throws(UnfinishedFile.Failure) in
            guard let (file, byteCount) = try opened(&state) else { return }
            // A chunk of zeros becomes a hole in the file, so that a sparse file stays sparse.
            let isHole = Self.isAllZeros(chunk)
            if !isHole { try file.write(chunk, at: byteCount) }
            state = .open(file, byteCount: byteCount + chunk.count, endsInHole: isHole)
        }
    }

    /// The open file and its length so far. The first call creates the file. Nil if the file is finished or abandoned.
    private func opened(_ state: inout State) throws(UnfinishedFile.Failure) -> (file: UnfinishedFile, byteCount: Int)?
    {
        switch state {
        case .over: return nil
        case .open(let file, let byteCount, _): return (file, byteCount)
        case .unopened:
            let file = try UnfinishedFile(path: path)
            state = .open(file, byteCount: 0, endsInHole: false)
            return (file, 0)
        }
    }

    private static func isAllZeros(_ chunk: [UInt8]) -> Bool {
        // Tests whether the first byte is zero and each further byte equals the byte before it. One call of `memcmp`
        // compares all bytes with their predecessors, because it compares the chunk with the same chunk shifted by one
        // byte.
        chunk.withUnsafeBytes { bytes in
            bytes.first == 0 && memcmp(bytes.baseAddress!, bytes.baseAddress! + 1, bytes.count - 1) == 0
        }
    }

    func finish() throws(AssetResourceError) {
        try change { state throws(UnfinishedFile.Failure) in
            // Opens the file if no chunk has come. So an empty resource becomes an empty file.
            guard let (file, byteCount) = try opened(&state) else { return }
            if case .open(_, _, endsInHole: true) = state { try file.setLength(byteCount) }
            try file.finish()
            state = .over
        }
    }

    func abandon() {
        state.withLock { state in
            if case .open(let file, _, _) = state { file.abandon() }
            state = .over
        }
    }

    private func change(
        _ body: (inout State) throws(UnfinishedFile.Failure) -> Void
    ) throws(AssetResourceError) {
        let failure = state.withLock { state -> UnfinishedFile.Failure? in
            do throws(UnfinishedFile.Failure) {
                try body(&state)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw .unwritable(path: path, code: failure.code) }
    }
}
