import CLibAV
import ThumbwheelRendering

/// The file of an export as libavformat writes it, and as it reads what it has written.
///
/// `context` points to this value without owning it, so the value must outlive everything that writes to `context`.
final class ExportBytes {
    private(set) var context: UnsafeMutablePointer<AVIOContext>?
    /// The first error that ended a write or a read; nil if all have succeeded.
    private(set) var failure: VideoExportFailure?
    /// The length of the file.
    private(set) var byteCount = 0
    private let output: any VideoExportOutput
    private let interruption: () -> RenderError?
    private var position = 0

    private static let bufferSize = 256 << 10

    init(_ job: VideoExporters.Job) throws(VideoExportFailure) {
        output = job.output
        interruption = job.interruption
        let buffer = av_malloc(Self.bufferSize)
        context = avio_alloc_context(
            buffer?.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 1,
            Unmanaged.passUnretained(self).toOpaque(), nil, Self.write, Self.seek)
        guard buffer != nil, context != nil else {
            av_free(buffer)
            throw .reading(.limitExceeded(limit: .memory))
        }
    }

    deinit {
        if let context { av_freep(&context.pointee.buffer) }
        avio_context_free(&context)
    }

    /// Whether the export must stop. If so, `failure` is set.
    var isInterrupted: Bool {
        if failure == nil, let error = interruption() { failure = .reading(error) }
        return failure != nil
    }

    // MARK: Writing

    private static let write: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32 =
        { Unmanaged<ExportBytes>.fromOpaque($0!).takeUnretainedValue().write($1!, count: Int($2)) }

    private static let seek: @convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int64 = {
        let bytes = Unmanaged<ExportBytes>.fromOpaque($0!).takeUnretainedValue()
        return ExportBytes.seek(&bytes.position, to: $1, from: $2, in: bytes.byteCount)
    }

    private func write(_ bytes: UnsafeMutablePointer<UInt8>, count: Int) -> Int32 {
        guard !isInterrupted else { return tw_averror_exit }
        do throws(VideoExportFailure) {
            try output.write(UnsafeRawBufferPointer(start: bytes, count: count), at: position)
        } catch {
            failure = error
            return tw_averror_io
        }
        position += count
        byteCount = max(byteCount, position)
        return Int32(count)
    }

    private static func seek(_ position: inout Int, to offset: Int64, from origin: Int32, in length: Int) -> Int64 {
        let target: Int64
        switch origin & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return Int64(length)
        case SEEK_SET: target = offset
        case SEEK_CUR: target = Int64(position) &+ offset
        case SEEK_END: target = Int64(length) &+ offset
        default: return -1
        }
        guard target >= 0 else { return -1 }
        position = Int(target)
        return target
    }

    // MARK: Reading what has been written

    /// A position from which the written bytes are read, independent of the one at which they are written.
    private final class Reader {
        let bytes: ExportBytes
        var position = 0

        init(_ bytes: ExportBytes) { self.bytes = bytes }
    }

    /// Opens the written bytes for reading. `close` must be called with the result.
    func openReader() -> UnsafeMutablePointer<AVIOContext>? {
        guard let buffer = av_malloc(Self.bufferSize) else { return nil }
        let reader = Unmanaged.passRetained(Reader(self))
        guard
            let context = avio_alloc_context(
                buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 0, reader.toOpaque(), Self.read,
                nil, Self.seekReader)
        else {
            av_free(buffer)
            reader.release()
            return nil
        }
        return context
    }

    /// Closes what `openReader` has returned.
    static func close(_ context: UnsafeMutablePointer<AVIOContext>) {
        Unmanaged<Reader>.fromOpaque(context.pointee.opaque).release()
        av_freep(&context.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = context
        avio_context_free(&context)
    }

    private static let read: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32 = {
        let reader = Unmanaged<Reader>.fromOpaque($0!).takeUnretainedValue()
        return reader.bytes.read(into: UnsafeMutableRawBufferPointer(start: $1!, count: Int($2)), at: &reader.position)
    }

    private static let seekReader: @convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int64 = {
        let reader = Unmanaged<Reader>.fromOpaque($0!).takeUnretainedValue()
        return ExportBytes.seek(&reader.position, to: $1, from: $2, in: reader.bytes.byteCount)
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer, at position: inout Int) -> Int32 {
        guard !isInterrupted else { return tw_averror_exit }
        do throws(VideoExportFailure) {
            let count = try output.read(into: buffer, at: position)
            position += count
            return count > 0 ? Int32(count) : tw_averror_eof
        } catch {
            failure = error
            return tw_averror_io
        }
    }
}
