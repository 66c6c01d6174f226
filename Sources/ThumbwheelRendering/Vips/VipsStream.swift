import CVips
import ThumbwheelCore

/// A stream through which libvips reads a `ByteSource`. Its reads fail as soon as the decode must stop, unless
/// `failsWhenInterrupted` is false.
///
/// The stream records why reads failed, because the errors of libvips do not tell a cancelled read from a damaged file.
/// libvips calls the stream only on the thread that decodes, so the stream needs no lock.
final class VipsStream {
    private let bytes: any ByteSource
    private let guardian: DecodeGuard
    private var position = 0
    // Small reads are answered from `chunk`, the bytes of one large read at `chunkOffset`. A source in memory is read
    // directly, without this buffer.
    private var chunk: [UInt8] = []
    private var chunkOffset = 0
    private let readAhead: Int
    // Whether reads fail as soon as the work must stop. If they do not fail, the decoder runs to its end.
    private let failsWhenInterrupted: Bool

    /// The error of the first read that failed; nil if none has failed.
    private(set) var failure: RenderError?
    /// Whether the decoder asked for bytes past the end of the source, a sign that data may be missing.
    private(set) var reachedEnd = false
    // Bytes that are handed to libvips after the last byte of the source, such as the end marker of a JPEG. They are
    // handed out only once.
    private var trailer: [UInt8]

    /// - Parameter trailer: bytes that are added to the end of the source. A decoder that reads them has read past the
    ///   end of the source, so `reachedEnd` is then true.
    init(
        _ bytes: any ByteSource, trailer: [UInt8] = [], failsWhenInterrupted: Bool = true, guardian: DecodeGuard
    ) {
        self.failsWhenInterrupted = failsWhenInterrupted
        self.bytes = bytes
        self.trailer = trailer
        self.guardian = guardian
        readAhead = bytes is MemoryByteSource ? 0 : min(96 << 10, max(bytes.byteCount, 1))
    }

    /// Makes a source for libvips that reads from this stream and keeps it alive. The caller owns the reference.
    func makeSource() -> UnsafeMutablePointer<VipsSource>? {
        guard let source = vips_source_custom_new() else { return nil }
        connect(source, "read", to: unsafeBitCast(readCallback, to: GCallback.self))
        connect(source, "seek", to: unsafeBitCast(seekCallback, to: GCallback.self))
        return UnsafeMutableRawPointer(source).assumingMemoryBound(to: VipsSource.self)
    }

    private func connect(_ source: UnsafeMutableRawPointer, _ signal: String, to callback: GCallback) {
        g_signal_connect_data(
            source, signal, callback, Unmanaged.passRetained(self).toOpaque(),
            { data, _ in if let data { Unmanaged<VipsStream>.fromOpaque(data).release() } }, GConnectFlags(rawValue: 0))
    }

    fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if failure != nil { return -1 }
        if failsWhenInterrupted, let interruption = guardian.interruption {
            failure = interruption
            return -1
        }
        do throws(ByteSourceError) {
            // The buffer is filled completely if possible, because libtiff interprets a short read as the end of the
            // file.
            var count = 0
            while count < buffer.count {
                let piece = try copy(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
                guard piece > 0 else { break }
                position += piece
                count += piece
            }
            guard count == 0, !buffer.isEmpty else { return count }
            reachedEnd = true
            defer { trailer = [] }
            buffer.copyBytes(from: trailer.prefix(buffer.count))
            return min(trailer.count, buffer.count)
        } catch {
            failure = .source(error)
            return -1
        }
    }

    private func copy(into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        if buffer.count >= readAhead { return try bytes.read(into: buffer, at: position) }
        if position < chunkOffset || position >= chunkOffset + chunk.count {
            chunk = try bytes.bytes(in: min(position, bytes.byteCount)..<min(position + readAhead, bytes.byteCount))
            chunkOffset = position
        }
        let start = position - chunkOffset
        let count = min(buffer.count, chunk.count - start)
        guard count > 0 else { return 0 }
        chunk.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count])) }
        return count
    }

    fileprivate func seek(to offset: Int, from origin: Int32) -> Int {
        let base =
            switch origin {
            case SEEK_SET: 0
            case SEEK_CUR: position
            case SEEK_END: bytes.byteCount
            default: -1
            }
        let (target, overflows) = base.addingReportingOverflow(offset)
        guard base >= 0, !overflows, target >= 0 else { return -1 }
        position = target
        return target
    }
}

private let readCallback:
    @convention(c) (UnsafeMutablePointer<VipsSourceCustom>?, UnsafeMutableRawPointer?, gint64, UnsafeMutableRawPointer?)
        -> gint64 = { _, buffer, count, stream in
            guard let stream, count >= 0 else { return -1 }
            return gint64(
                Unmanaged<VipsStream>.fromOpaque(stream).takeUnretainedValue().read(
                    into: UnsafeMutableRawBufferPointer(start: buffer, count: buffer == nil ? 0 : Int(count))))
        }

private let seekCallback:
    @convention(c) (UnsafeMutablePointer<VipsSourceCustom>?, gint64, Int32, UnsafeMutableRawPointer?) -> gint64 = {
        _, offset, origin, stream in
        guard let stream else { return -1 }
        return gint64(
            Unmanaged<VipsStream>.fromOpaque(stream).takeUnretainedValue().seek(to: Int(offset), from: origin))
    }
