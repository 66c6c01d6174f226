/// An ICC profile whose bytes lie in one or several places of a file (ICC.1:2022, section 7).
struct ICCProfile {
    /// The byte ranges of the profile in the file, in order; empty if there is no profile.
    let extents: [Range<Int>]

    /// The greatest length, in bytes, of a damaged profile that counts as missing. A longer one is still reported,
    /// because decoders would read all its bytes.
    private static let harmlessByteCount = 1 << 20

    private var byteCount: Int { extents.reduce(0) { $0 + $1.count } }

    /// Reads the name and the colour space of the profile; nil if there is none or it is damaged. Fails only if the
    /// source cannot be read.
    func describe(_ reader: inout HeadReader) throws(HeadError) -> EmbeddedProfile? {
        if let described = try describeSound(&reader) { return described }
        return byteCount > Self.harmlessByteCount
            ? EmbeddedProfile(name: nil, colorSpace: "", byteCount: byteCount) : nil
    }

    private func describeSound(_ reader: inout HeadReader) throws(HeadError) -> EmbeddedProfile? {
        do throws(HeadError) {
            guard !extents.isEmpty, try code(&reader, at: 36) == "acsp" else { return nil }
            let colorSpace = try code(&reader, at: 16).text
            var name: String?
            do throws(HeadError) {
                name = try readName(&reader)
            } catch  where error.concernsBytes {
                // A profile without a readable name is still valid.
            }
            return EmbeddedProfile(name: name, colorSpace: colorSpace, byteCount: byteCount)
        } catch  where error.concernsBytes {
            return nil
        }
    }

    /// The greatest number of tags that are read; profiles have about ten tags, and at most some dozens.
    private static let tagLimit = 128
    private static let nameLimit = 256

    private func readName(_ reader: inout HeadReader) throws(HeadError) -> String? {
        let count = try integer(&reader, at: 128, width: 4)
        for index in 0..<min(count, Self.tagLimit) where try code(&reader, at: 132 + 12 * index) == "desc" {
            let start = try integer(&reader, at: 136 + 12 * index, width: 4)
            return switch try code(&reader, at: start) {
            case "desc": try asciiName(&reader, at: start)
            case "mluc": try localizedName(&reader, at: start)
            default: nil
            }
        }
        return nil
    }

    /// Reads a name of version 2's textDescriptionType, in which the ASCII text comes first.
    private func asciiName(_ reader: inout HeadReader, at start: Int) throws(HeadError) -> String? {
        let count = try min(integer(&reader, at: start + 8, width: 4), Self.nameLimit)
        return Self.tidied(String(decoding: try bytes(&reader, at: start + 12, count: count), as: UTF8.self))
    }

    /// Reads a name of version 4's multiLocalizedUnicodeType: the English record, or else the first.
    private func localizedName(_ reader: inout HeadReader, at start: Int) throws(HeadError) -> String? {
        let count = try min(integer(&reader, at: start + 8, width: 4), Self.tagLimit)
        let recordSize = try integer(&reader, at: start + 12, width: 4)
        guard count > 0, 12...64 ~= recordSize else { return nil }
        var record = start + 16
        for index in 0..<count {
            let candidate = start + 16 + index * recordSize
            if try integer(&reader, at: candidate, width: 2) == 0x656E {
                record = candidate
                break
            }
        }
        let byteCount = try min(integer(&reader, at: record + 4, width: 4), 2 * Self.nameLimit)
        let offset = try integer(&reader, at: record + 8, width: 4)
        let text = try bytes(&reader, at: start + offset, count: byteCount)
        let units = stride(from: 0, to: text.count - 1, by: 2).map { UInt16(text[$0]) << 8 | UInt16(text[$0 + 1]) }
        return Self.tidied(String(decoding: units, as: UTF16.self))
    }

    private static func tidied(_ name: String) -> String? {
        let text = name.prefix { $0 != "\0" }.drop { $0.isWhitespace }
        guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(text[...last])
    }

    private func code(_ reader: inout HeadReader, at offset: Int) throws(HeadError) -> FourCharacterCode {
        FourCharacterCode(rawValue: UInt32(clamping: try integer(&reader, at: offset, width: 4)))
    }

    private func integer(_ reader: inout HeadReader, at offset: Int, width: Int) throws(HeadError) -> Int {
        try bytes(&reader, at: offset, count: width).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Reads bytes of the profile, gathered from all pieces in which they lie.
    private func bytes(_ reader: inout HeadReader, at offset: Int, count: Int) throws(HeadError) -> [UInt8] {
        var skipped = offset
        var gathered: [UInt8] = []
        for extent in extents {
            guard gathered.count < count else { break }
            try reader.spend(1)
            guard skipped < extent.count else {
                skipped -= extent.count
                continue
            }
            let piece = min(count - gathered.count, extent.count - skipped)
            gathered += try reader.bytes(in: extent.subrange(at: skipped, count: piece))
            skipped = 0
        }
        guard gathered.count == count else { throw .truncated }
        return gathered
    }
}
