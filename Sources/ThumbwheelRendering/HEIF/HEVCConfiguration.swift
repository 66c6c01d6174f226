import ThumbwheelCore

/// The decoder configuration of HEVC pictures (`hvcC`, ISO/IEC 14496-15, 8.3.3.1).
struct HEVCConfiguration {
    /// The number of bytes of the length field in front of each NAL unit.
    let lengthSize: Int
    /// The parameter sets, without their length fields.
    let parameterSets: [ArraySlice<UInt8>]
    let sequence: HEVCSequence

    private static let sequenceType: UInt8 = 33

    init(_ bytes: [UInt8]) throws(RenderError) {
        let damage = RenderError.malformed(reason: "a damaged HEVC configuration")
        guard bytes.count > 22 else { throw damage }
        lengthSize = Int(bytes[21] & 3) + 1
        var sets: [ArraySlice<UInt8>] = []
        var position = 23
        func number(at place: Int) throws(RenderError) -> Int {
            guard place + 2 <= bytes.count else { throw damage }
            return Int(bytes[place]) << 8 | Int(bytes[place + 1])
        }
        for _ in 0..<bytes[22] {
            let count = try number(at: position + 1)
            position += 3
            for _ in 0..<count {
                let length = try number(at: position)
                position += 2
                guard length <= bytes.count - position else { throw damage }
                sets.append(bytes[position..<position + length])
                position += length
            }
        }
        let sequences = sets.filter { $0.count > 2 && $0[$0.startIndex] >> 1 & 63 == Self.sequenceType }
        // Decoders choose a sequence parameter set by its number. If there were several sets, a decoder might use a set
        // that was not checked here.
        guard sequences.count == 1 else { throw .malformed(reason: "\(sequences.count) HEVC sequences") }
        parameterSets = sets
        sequence = try HEVCSequence(sequences[0].dropFirst(2))
    }

    /// Calls `body` with each NAL unit of a picture. Parameter sets among the data are left out, because only the
    /// parameter sets of the configuration have been checked.
    func forEachUnit(
        in data: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(RenderError) -> Void
    ) throws(RenderError) {
        var position = 0
        while position < data.count {
            guard data.count - position > lengthSize else { throw .malformed(reason: "a damaged HEVC picture") }
            let length = data[position..<position + lengthSize].reduce(0) { $0 << 8 | Int($1) }
            position += lengthSize
            guard length > 0, length <= data.count - position else {
                throw .malformed(reason: "an HEVC unit of \(length) bytes")
            }
            let type = data[position] >> 1 & 63
            if !(32...34).contains(type) {
                try body(UnsafeRawBufferPointer(rebasing: data[position..<position + length]))
            }
            position += length
        }
    }
}
