import ThumbwheelRendering

/// The file of an export. It has a temporary name until it is complete, and only then gets its real name.
final class ExportFile: VideoExportOutput {
    private let file: UnfinishedFile

    init(path: String) throws(UnfinishedFile.Failure) {
        file = try UnfinishedFile(path: path)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(VideoExportFailure) {
        try passing { () throws(UnfinishedFile.Failure) in try file.write(bytes, at: offset) }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(VideoExportFailure) -> Int {
        try passing { () throws(UnfinishedFile.Failure) in try file.read(into: buffer, at: offset) }
    }

    func finish() throws(VideoExportFailure) {
        try passing { () throws(UnfinishedFile.Failure) in try file.finish() }
    }

    func abandon() { file.abandon() }

    private func passing<Value>(
        _ body: () throws(UnfinishedFile.Failure) -> Value
    ) throws(VideoExportFailure) -> Value {
        do throws(UnfinishedFile.Failure) { return try body() } catch { throw .writing(code: error.code) }
    }
}
