import ThumbwheelCore

/// The decoder configuration of HEVC pictures (`hvcC`, ISO/IEC 14496-15, 8.3.3.1).
struct HEVCConfiguration {
    /// The number of bytes of the length field in front of each NAL unit.
    let lengthSize: Int
    /// The parameter sets, without their length fields. Sets that are equal byte by byte are there once.
    let parameterSets: [ArraySlice<UInt8>]
    /// The sequences that differ in a field which determines a decoder's memory; at least one.
    let sequences: [HEVCSequence]

    var sequence: HEVCSequence { sequences[0] }

    /// Whether the decoders are trusted with the pictures. Decoders choose a sequence by its number. If there are
    /// several kinds, it is not known which one a decoder uses.
    var isSupported: Bool { sequences.count == 1 && sequence.isSupported }

    private static let sequenceType: UInt8 = 33
    /// The largest number of different parameter sets. Real files have three; the standard allows 16 sequences and 64
    /// sets for pictures.
    private static let setLimit = 96

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
                let set = bytes[position..<position + length]
                if !sets.contains(set) { sets.append(set) }
                guard sets.count <= Self.setLimit else { throw damage }
                position += length
            }
        }
        var sequences: [HEVCSequence] = []
        for set in sets where set.count > 2 && set[set.startIndex] >> 1 & 63 == Self.sequenceType {
            let sequence = try HEVCSequence(set.dropFirst(2))
            if !sequences.contains(sequence) { sequences.append(sequence) }
        }
        guard !sequences.isEmpty else { throw .malformed(reason: "no HEVC sequence") }
        parameterSets = sets
        self.sequences = sequences
    }

    /// Whether the first unit of a picture begins a sequence without regard to earlier pictures (an IDR picture, ITU-T
    /// H.265, 7.4.2.2).
    func startsSequence(_ data: UnsafeRawBufferPointer) -> Bool {
        data.count > lengthSize && 19...20 ~= data[lengthSize] >> 1 & 63
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
