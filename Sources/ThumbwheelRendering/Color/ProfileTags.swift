import ThumbwheelFormats

/// The header and tag table of an ICC profile (ICC.1:2022, 7.2 and 7.3).
struct ProfileTags {
    let colorSpace: String
    let connectionSpace: String
    private var elements: [String: ArraySlice<UInt8>] = [:]

    private static let tagLimit = 128
    /// The tags of colour look-up tables. A profile that has any of them must be applied by these tables and not by its
    /// curves and matrix.
    private static let tableTags = ["A2B0", "A2B1", "A2B2", "D2B0", "D2B1", "D2B2", "D2B3"]

    /// Reads the tags of a profile.
    ///
    /// - Returns: nil in each of these cases:
    ///   - the bytes are not an ICC profile,
    ///   - the profile's class is not input device, display, output device or colour space,
    ///   - the profile contains colour look-up tables.
    init?(_ profile: [UInt8]) {
        self.init(all: profile)
        guard Self.tableTags.allSatisfy({ elements[$0] == nil }) else { return nil }
    }

    /// The code points that a profile contains besides its curves or tables; nil if it contains none (ICC.1:2022,
    /// 9.2.17).
    static func codedColor(in profile: [UInt8]) -> CodingIndependentColor? {
        guard let tags = ProfileTags(all: profile), tags.colorSpace == "RGB ", let element = tags.elements["cicp"],
            element.count >= 12, element.prefix(4).elementsEqual("cicp".utf8)
        else { return nil }
        let codes = Array(element.dropFirst(8))
        return CodingIndependentColor(
            primaries: UInt16(codes[0]), transfer: UInt16(codes[1]), matrix: UInt16(codes[2]),
            isFullRange: codes[3] != 0)
    }

    private init?(all profile: [UInt8]) {
        let bytes = profile[...]
        guard bytes.count >= 132 else { return nil }
        func code(_ offset: Int) -> String { String(decoding: bytes[offset..<offset + 4], as: UTF8.self) }
        guard code(36) == "acsp", ["scnr", "mntr", "prtr", "spac"].contains(code(12)) else { return nil }
        colorSpace = code(16)
        connectionSpace = code(20)
        for index in 0..<min(bytes.bigEndian(at: 128, 4), Self.tagLimit) {
            let entry = 132 + 12 * index
            guard entry + 12 <= bytes.count else { return nil }
            let offset = bytes.bigEndian(at: entry + 4, 4)
            let count = bytes.bigEndian(at: entry + 8, 4)
            guard offset <= bytes.count, count <= bytes.count - offset else { continue }
            elements[code(entry)] = bytes[offset..<offset + count]
        }
    }

    func curve(_ tag: String) -> ToneCurve? { elements[tag].flatMap(ToneCurve.init) }

    /// The three numbers of a tag of type XYZType; nil if the profile has no such tag.
    func colorant(_ tag: String) -> SIMD3<Double>? {
        guard let element = elements[tag], element.count >= 20, element.prefix(4).elementsEqual("XYZ ".utf8) else {
            return nil
        }
        return SIMD3(element.fixedPoint(at: 8), element.fixedPoint(at: 12), element.fixedPoint(at: 16))
    }
}
