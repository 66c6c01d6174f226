import ThumbwheelCore

extension RenderError {
    /// Writes the error. If the error is a failed read of the file, its path is left out: a decoder that reads the file
    /// from a descriptor does not know the path, and the program that uses this library does.
    func write(to writer: inout MessageWriter) {
        var (kind, reason, number) = (UInt8(0), "", 0.0)
        switch self {
        case .unsupportedFormat: kind = 0
        case .truncated(let fraction): (kind, number) = (1, fraction)
        case .unavailable(let text): (kind, reason) = (2, text)
        case .malformed(let text): (kind, reason) = (3, text)
        case .invalidRequest(let text): (kind, reason) = (4, text)
        case .limitExceeded(let limit): (kind, number) = (5, Double(Self.limits.firstIndex(of: limit)!))
        case .noPreview: kind = 6
        case .cancelled: kind = 7
        case .source(.unreadable(_, let code)): (kind, number) = (8, Double(code))
        case .source: kind = 8
        case .encodingFailed(let text): (kind, reason) = (9, text)
        case .decoderFailed(let signal): (kind, number) = (10, Double(signal ?? 0))
        }
        writer.write(kind)
        writer.write(number)
        // A text that is cut within a character ends in a replacement character, see `MessageReader.text`.
        writer.write(Array(reason.utf8.prefix(MessageFormat.textLimit)))
    }

    init(from reader: inout MessageReader) throws(MessageError) {
        let (kind, number) = (try reader.byte(), try reader.fraction())
        let reason = try reader.text(atMost: MessageFormat.textLimit)
        switch kind {
        case 0: self = .unsupportedFormat
        case 1 where number >= 0 && number <= 1: self = .truncated(decodedFraction: number)
        case 2: self = .unavailable(reason: reason)
        case 3: self = .malformed(reason: reason)
        case 4: self = .invalidRequest(reason: reason)
        case 5:
            guard let index = Int(exactly: number), Self.limits.indices.contains(index) else { throw MessageError() }
            self = .limitExceeded(limit: Self.limits[index])
        case 6: self = .noPreview
        case 7: self = .cancelled
        case 8:
            guard let code = Int32(exactly: number), code >= 0 else { throw MessageError() }
            self = .source(.unreadable(path: "", code: code))
        case 9: self = .encodingFailed(reason: reason)
        case 10:
            guard let signal = Int32(exactly: number), (0..<128).contains(signal) else { throw MessageError() }
            self = .decoderFailed(signal: signal == 0 ? nil : signal)
        default: throw MessageError()
        }
    }

    private static let limits: [Limit] = [.pixels, .bytes, .frames, .memory, .duration]
}
