import ThumbwheelCore

/// Writes a library's file, one block after another. The file has the contents of the library at one moment.
struct LibraryFileWriting {
    /// A function that writes bytes at a position in the file.
    typealias Sink = (_ bytes: [UInt8], _ offset: Int) throws(LibraryFileError) -> Void

    private let write: Sink
    private var table = BlockWriter()
    private var block = BlockWriter()
    // The first block begins after the header. The header is written last, so that an incomplete file does not count as
    // a library.
    private var offset = LibraryFileHeader.size

    private init(_ write: @escaping Sink) {
        self.write = write
    }

    static func write(
        _ state: LibraryCore.State, token: CancellationToken = CancellationToken(), to write: @escaping Sink
    ) throws(LibraryFileError) {
        var file = LibraryFileWriting(write)
        let snapshot = state.snapshot
        for chunk in snapshot.chunks {
            guard !token.isCancelled else { throw .cancelled }
            try file.append { chunk.columns.write(to: &$0) }
        }
        try file.append { snapshot.collections.write(to: &$0) }
        try file.append { state.history.write(to: &$0) }
        let table = file.table.bytes
        try write(table, file.offset)
        let header = LibraryFileHeader(
            snapshotNumber: snapshot.number, chunkCount: snapshot.chunks.count, tableOffset: file.offset,
            byteCount: file.offset + table.count, tableDigest: XXHash64.digest(table))
        try write(header.bytes, 0)
    }

    private mutating func append(_ body: (inout BlockWriter) -> Void) throws(LibraryFileError) {
        block.removeAll()
        body(&block)
        table.write(count: block.bytes.count)
        table.write(XXHash64.digest(block.bytes))
        try write(block.bytes, offset)
        offset += block.bytes.count
    }
}
