import ThumbwheelCore

/// The facts that the properties of a HEIF item state. The properties are applied one after another.
struct HEIFPicture {
    private(set) var size = PixelSize.zero
    /// The size before it is cropped or turned (`ispe`). If there are several such properties, the first one counts.
    private(set) var storedSize = PixelSize.zero
    /// Whether a clean aperture makes the picture smaller than it is stored.
    var isCropped: Bool { size.pixelCount != storedSize.pixelCount }
    private(set) var bitsPerChannel: Int?
    private(set) var hasFullChroma: Bool?
    /// The place of the item's ICC profile in the file.
    private(set) var profile: Range<Int>?
    private(set) var codedColor: CodingIndependentColor?

    init(_ reader: inout HeadReader, _ properties: [HEIFBoxes.Box]) throws(HeadError) {
        for property in properties { try apply(&reader, property) }
    }

    /// Adds those facts about colours that are still unknown. They are taken from `part`, an item that this item is
    /// derived from.
    mutating func takeColors(of part: HEIFPicture) {
        profile = profile ?? part.profile
        codedColor = codedColor ?? part.codedColor
        bitsPerChannel = bitsPerChannel ?? part.bitsPerChannel
        hasFullChroma = hasFullChroma ?? part.hasFullChroma
    }

    private mutating func apply(_ reader: inout HeadReader, _ property: HEIFBoxes.Box) throws(HeadError) {
        let payload = property.payload
        switch property.kind {
        case "ispe" where storedSize == .zero:
            let start = try payload.subrange(at: 4, count: 8).lowerBound
            storedSize.width = try reader.integer(at: start, width: 4)
            storedSize.height = try reader.integer(at: start + 4, width: 4)
            size = storedSize
        case "clap":
            let start = try payload.subrange(at: 0, count: 16).lowerBound
            size.width = try cropped(&reader, size.width, at: start)
            size.height = try cropped(&reader, size.height, at: start + 8)
        case "irot":
            if try reader.byte(at: payload.subrange(at: 0, count: 1).lowerBound) & 1 == 1 { size = size.transposed }
        case "pixi":
            let start = try payload.subrange(at: 4, count: 2).lowerBound
            if try reader.byte(at: start) > 0 { bitsPerChannel = try reader.integer(at: start + 1, width: 1) }
        case "av1C":
            let flags = try reader.byte(at: payload.subrange(at: 2, count: 1).lowerBound)
            bitsPerChannel = bitsPerChannel ?? (flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12)
            // These bits are 0 if the picture is neither grey nor subsampled across or down.
            hasFullChroma = flags & 0x1C == 0
        case "hvcC":
            let start = try payload.subrange(at: 16, count: 2).lowerBound
            hasFullChroma = try reader.byte(at: start) & 3 == 3
            let depth = Int(try reader.byte(at: start + 1) & 7) + 8
            bitsPerChannel = bitsPerChannel ?? depth
        case "colr":
            try applyColor(&reader, payload)
        default:
            break
        }
    }

    private mutating func applyColor(_ reader: inout HeadReader, _ payload: Range<Int>) throws(HeadError) {
        let start = try payload.subrange(at: 0, count: 4).lowerBound
        switch try reader.code(at: start) {
        case "prof", "rICC":
            profile = try payload.suffix(at: 4)
        case "nclx" where payload.count >= 11:
            func code(_ index: Int) throws(HeadError) -> UInt16 {
                UInt16(clamping: try reader.integer(at: start + 4 + 2 * index, width: 2))
            }
            codedColor = CodingIndependentColor(
                primaries: try code(0), transfer: try code(1), matrix: try code(2),
                isFullRange: try reader.byte(at: start + 10) & 0x80 != 0)
        default:
            break
        }
    }

    /// Returns the length of a side after the clean aperture's fraction is applied; it is never longer than before.
    private func cropped(_ reader: inout HeadReader, _ side: Int, at place: Int) throws(HeadError) -> Int {
        let numerator = try reader.integer(at: place, width: 4)
        let denominator = try reader.integer(at: place + 4, width: 4)
        guard denominator > 0, numerator > 0 else { return side }
        return min(side, max(1, (numerator + denominator / 2) / denominator))
    }
}
