import CMicroHTTPD
import Glibc
import ThumbwheelCore
import ThumbwheelService

/// Makes responses of libmicrohttpd.
enum ResponseMaking {
    /// A range of a source that has no descriptor.
    private final class SourceReader {
        let source: any ByteSource
        let start: Int
        let peer: Peer?

        init(_ source: any ByteSource, _ start: Int, _ peer: Peer?) {
            (self.source, self.start, self.peer) = (source, start, peer)
        }
    }

    private final class StreamBox {
        let reader: StreamReader
        let end: @Sendable () -> Void

        init(_ reader: StreamReader, _ end: @escaping @Sendable () -> Void) {
            (self.reader, self.end) = (reader, end)
        }
    }

    /// An array of bytes that the response keeps, so that all who read a cached picture slowly share its bytes.
    private final class ByteBox {
        /// The array. Its elements do not move, because nobody changes it.
        let bytes: [UInt8]

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }
    }

    private static func shared(_ bytes: [UInt8]) -> OpaquePointer? {
        let box = Unmanaged.passRetained(ByteBox(bytes))
        let response = bytes.withUnsafeBytes { buffer in
            tw_mhd_buffer(
                buffer.baseAddress, buffer.count,
                { if let context = $0 { Unmanaged<ByteBox>.fromOpaque(context).release() } }, box.toOpaque())
        }
        // The callback is not called for a response that could not be made.
        if response == nil { box.release() }
        return response
    }

    /// - Parameter isHead: Whether the body is left out. One whose length is not known has then no length in the header.
    static func response(of response: ServiceResponse, isHead: Bool, to peer: Peer?) -> OpaquePointer? {
        switch response.body {
        case .none where isHead && response.status == 200:
            return tw_mhd_reader(-1, { _, _, _, _ in tw_mhd_end_of_stream() }, nil, nil)
        // A 304 gets the length 0, which RFC 9110 does not allow: libmicrohttpd 0.9.75 has no way to leave it out, and sends the last
        // chunk of a body for a 304 of unknown length.
        case .none, .events, .stream: return tw_mhd_empty()
        case .bytes(let bytes): return bytes.isEmpty ? tw_mhd_empty() : shared(bytes)
        case .source(let source, let range):
            if let file = source as? OpenFile {
                let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
                guard descriptor >= 0 else { return nil }
                // The response closes the duplicate.
                return MHD_create_response_from_fd_at_offset64(
                    UInt64(range.count), descriptor, UInt64(range.lowerBound))
            }
            return reader(source, range, peer)
        }
    }

    private static func reader(_ source: any ByteSource, _ range: Range<Int>, _ peer: Peer?) -> OpaquePointer? {
        let box = Unmanaged.passRetained(SourceReader(source, range.lowerBound, peer))
        return tw_mhd_reader(
            Int64(range.count),
            { context, position, buffer, count in
                guard let context, let buffer else { return tw_mhd_end_with_error() }
                let reader = Unmanaged<SourceReader>.fromOpaque(context).takeUnretainedValue()
                let target = UnsafeMutableRawBufferPointer(start: buffer, count: count)
                let copied = try? reader.source.read(into: target, at: reader.start + Int(position))
                guard let copied, copied > 0 else {
                    reader.peer?.breakOff()
                    return tw_mhd_end_with_error()
                }
                return copied
            }, box.toOpaque(), { if let context = $0 { Unmanaged<SourceReader>.fromOpaque(context).release() } })
    }

    /// - Parameter end: Called when the response is over.
    static func response(of reader: StreamReader, end: @escaping @Sendable () -> Void) -> OpaquePointer? {
        let box = Unmanaged.passRetained(StreamBox(reader, end))
        return tw_mhd_reader(
            -1,
            { context, _, buffer, count in
                guard let context, let buffer else { return tw_mhd_end_with_error() }
                let box = Unmanaged<StreamBox>.fromOpaque(context).takeUnretainedValue()
                let target = UnsafeMutableRawBufferPointer(start: buffer, count: count)
                if let count = box.reader.read(into: target) { return count }
                if box.reader.isComplete { return tw_mhd_end_of_stream() }
                box.reader.peer?.breakOff()
                return tw_mhd_end_with_error()
            }, box.toOpaque(),
            { context in
                guard let context else { return }
                let box = Unmanaged<StreamBox>.fromOpaque(context).takeRetainedValue()
                box.end()
            })
    }
}
