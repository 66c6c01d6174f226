import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering

/// The memory of an export, which is counted against the budget of the manager that made the session.
struct ExportMemory: Sendable {
    private let pipeline: ImagePipeline

    init(of pipeline: ImagePipeline) { self.pipeline = pipeline }

    /// Runs an export while its memory is reserved.
    func reserving<Value, Failure: Error>(
        _ byteCount: Int, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let reservation = pipeline.apply { $0.beginExport(byteCount: byteCount, at: $1) }
        defer { pipeline.apply { $0.endExport(reservation, at: $1) } }
        return try body()
    }

    /// The frames that a decoder and an encoder hold besides one for each thread: the largest number of frames from
    /// which others are decoded.
    private static let heldFrameCount = 16
    /// The memory of an export apart from frames: packets that wait for others, the index, and blocks of the file.
    private static let fixedByteCount = 16 << 20

    /// The memory that an export is predicted to take.
    static func byteCount(of head: VideoHead, _ frames: VideoExportSettings.Frames, threadCount: Int) -> Int {
        guard case .h264(let target, _) = frames else { return fixedByteCount }
        let coded = Double(head.codedSize.pixelCount)
        let encoded = target == .maximum ? coded : min(coded, Double(target.width) * Double(target.height))
        // A pixel has one byte of luma and half a byte of chroma.
        let bytes = Double(threadCount + heldFrameCount) * (coded + encoded) * 1.5
        return fixedByteCount + Int(min(bytes, 1e15))
    }
}
