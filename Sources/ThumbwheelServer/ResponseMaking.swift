import CMicroHTTPD
import ThumbwheelCore
import ThumbwheelService

/// Makes responses of libmicrohttpd.
enum ResponseMaking {
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

    /// Makes a response whose bytes, if it has any, are in memory.
    ///
    /// - Parameter isHead: Whether the body is left out. One whose length is not known has then no length in the header.
    static func response(of response: ServiceResponse, isHead: Bool) -> OpaquePointer? {
        switch response.body {
        case .none where isHead && response.status == 200:
            return tw_mhd_reader(-1, 1, { _, _, _, _ in tw_mhd_end_of_stream() }, nil, nil)
        // A 304 gets the length 0, which RFC 9110 does not allow: libmicrohttpd 0.9.75 has no way to leave it out, and sends the last
        // chunk of a body for a 304 of unknown length.
        case .none, .events, .stream, .source: return tw_mhd_empty()
        case .bytes(let bytes): return bytes.isEmpty ? tw_mhd_empty() : shared(bytes)
        }
    }

    /// - Parameter byteCount: The number of bytes that the reader delivers.
    static func response(of reader: SourceReader, byteCount: Int) -> OpaquePointer? {
        guard byteCount > 0 else { return tw_mhd_empty() }
        let box = Unmanaged.passRetained(reader)
        let response = tw_mhd_reader(
            Int64(byteCount), min(byteCount, SourceReader.blockByteCount),
            { context, _, buffer, count in
                guard let context, let buffer else { return tw_mhd_end_with_error() }
                let reader = Unmanaged<SourceReader>.fromOpaque(context).takeUnretainedValue()
                let target = UnsafeMutableRawBufferPointer(start: buffer, count: count)
                if let count = reader.read(into: target) { return count }
                reader.peer?.breakOff()
                return tw_mhd_end_with_error()
            }, box.toOpaque(), { if let context = $0 { Unmanaged<SourceReader>.fromOpaque(context).release() } })
        // The callback is not called for a response that could not be made.
        if response == nil { box.release() }
        return response
    }

    /// - Parameter end: Called when the response is over.
    static func response(of reader: StreamReader, end: @escaping @Sendable () -> Void) -> OpaquePointer? {
        let box = Unmanaged.passRetained(StreamBox(reader, end))
        return tw_mhd_reader(
            -1, 64 << 10,
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
