/// Walks from element to element in a range of an EBML file (RFC 8794).
struct EBMLWalk {
    struct Element {
        /// The element's identifier, including the leading bits that state its length.
        let id: Int
        let payload: Range<Int>
        /// Whether the element states its size and lies wholly in its container. If not, `payload` extends to the end
        /// of the container.
        let isWhole: Bool
        /// Whether the element states a size and ends after its container does.
        let isCutShort: Bool
    }

    private var position: Int
    private let end: Int

    init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    /// Returns the next element; nil after the last.
    mutating func next(_ reader: inout HeadReader) throws(HeadError) -> Element? {
        guard position < end else { return nil }
        var cursor = HeadCursor(position..<end)
        let id = try cursor.variableInteger(from: &reader, keepsMarker: true)
        let size = try cursor.variableInteger(from: &reader, keepsMarker: false)
        guard let id, id < 1 << 32 else { throw .malformed(reason: "no element at \(position)") }
        let isWhole = size.map { $0 <= cursor.rest.count } ?? false
        let payload = cursor.position..<(isWhole ? cursor.position + (size ?? 0) : end)
        position = payload.upperBound
        return Element(id: id, payload: payload, isWhole: isWhole, isCutShort: !isWhole && size != nil)
    }
}

extension HeadCursor {
    /// Reads an integer of 1 to 8 bytes, whose leading bits state its length (RFC 8794, 4); nil for the value that
    /// means an unknown size.
    fileprivate mutating func variableInteger(
        from reader: inout HeadReader, keepsMarker: Bool
    ) throws(HeadError) -> Int? {
        let first = try integer(1, from: &reader)
        guard first > 0 else { throw .malformed(reason: "an EBML number of more than eight bytes") }
        let width = UInt8(first).leadingZeroBitCount + 1
        let rest = try integer(width - 1, from: &reader)
        let marker = 1 << (8 - width)
        let bits = keepsMarker ? first : first & (marker - 1)
        let value = bits << (8 * (width - 1)) | rest
        return !keepsMarker && value == 1 << (7 * width) - 1 ? nil : value
    }
}

extension EBMLWalk.Element {
    /// Reads the element as an unsigned integer.
    func integer(_ reader: inout HeadReader) throws(HeadError) -> Int {
        guard isWhole else { throw .truncated }
        guard payload.count <= 8 else { throw .malformed(reason: "an integer of \(payload.count) bytes") }
        return payload.isEmpty ? 0 : try reader.integer(at: payload.lowerBound, width: payload.count)
    }

    /// Reads the element as a floating-point number of 4 or 8 bytes; 0 if it is empty.
    func number(_ reader: inout HeadReader) throws(HeadError) -> Double {
        guard isWhole else { throw .truncated }
        var bits: UInt64 = 0
        guard [0, 4, 8].contains(payload.count) else { throw .malformed(reason: "a number of \(payload.count) bytes") }
        for byte in try reader.bytes(in: payload) { bits = bits << 8 | UInt64(byte) }
        return payload.count == 4 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
    }

    /// Reads the beginning of the element as text, up to the first zero byte.
    func text(_ reader: inout HeadReader, limit: Int = VideoTags.textLimit) throws(HeadError) -> [UInt8] {
        [UInt8](try reader.bytes(in: payload.prefix(limit)).prefix { $0 != 0 })
    }
}
