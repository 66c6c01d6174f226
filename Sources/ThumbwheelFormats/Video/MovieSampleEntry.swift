import ThumbwheelCore

/// The first entry of a sample description (`stsd`): the coding of a track's frames.
struct MovieSampleEntry {
    private var coding: FourCharacterCode
    private var size = PixelSize.zero
    private var aperture: HEIFTransform?
    private var aspect: PixelAspect?
    private var codedColor: CodingIndependentColor?
    private var isSpatial = false

    /// Whether the entry states the aspect ratio of the pixels.
    var statesAspect: Bool { aspect != nil }

    /// The number of bytes before the boxes in an entry.
    private static let boxesOffset = 86

    init(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        // Skips version, flags and the number of entries.
        let entry = try payload.suffix(at: 8)
        let start = try entry.subrange(at: 0, count: Self.boxesOffset).lowerBound
        coding = try reader.code(at: start + 4)
        size.width = try reader.integer(at: start + 32, width: 2)
        size.height = try reader.integer(at: start + 34, width: 2)
        let end = min(max(try reader.integer(at: start, width: 4), Self.boxesOffset), entry.count)
        var walk = HEIFBoxWalk(start + Self.boxesOffset..<start + end)
        do throws(HeadError) {
            while let box = try walk.next(&reader) {
                try reader.enterPart()
                try apply(&reader, box)
            }
        } catch  where error.concernsBytes {
            // Old movies have a colour table here instead of boxes.
        }
    }

    private mutating func apply(_ reader: inout HeadReader, _ box: HEIFBoxes.Box) throws(HeadError) {
        switch box.kind {
        case "pasp":
            let start = try box.payload.subrange(at: 0, count: 8).lowerBound
            aspect = PixelAspect(
                try reader.integer(at: start, width: 4), try reader.integer(at: start + 4, width: 4))
        case "clap" where !size.isEmpty:
            var transform = HEIFTransform(size)
            try transform.apply(&reader, box)
            aperture = transform
        case "colr":
            codedColor = try CodingIndependentColor(&reader, in: box.payload) ?? codedColor
        case "vexu":
            // A stereoscopic video has an `eyes` box (Apple's description of stereoscopic videos).
            isSpatial = try HEIFBoxes(&reader, in: box.payload)["eyes"] != nil
        case "sinf":
            // For encrypted frames, the `frma` box names the original codec.
            guard let original = try HEIFBoxes(&reader, in: box.payload)["frma"] else { return }
            coding = try reader.code(at: original.subrange(at: 0, count: 4).lowerBound)
        default: break
        }
    }

    /// Copies the facts into a `VideoHead`.
    func describe(_ head: inout VideoHead) {
        head.codec = VideoCodecNames.name(of: coding)
        if !size.isEmpty {
            head.codedSize = size
            head.visibleRegion = PixelRegion(of: size)
        }
        if let aperture { head.visibleRegion = PixelRegion(x: aperture.x, y: aperture.y, size: aperture.shownSize) }
        if let aspect { head.pixelAspect = aspect }
        head.codedColor = codedColor
        if isSpatial { head.add(.spatial, by: "a vexu box with eyes") }
    }
}

extension CodingIndependentColor {
    /// Reads a `colr` box of type `nclx` or `nclc`; nil for other types. QuickTime's `nclc` states no range, and means
    /// the limited range of video.
    init?(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        let start = try payload.subrange(at: 0, count: 4).lowerBound
        let kind = try reader.code(at: start)
        guard kind == "nclx" || kind == "nclc" else { return nil }
        var cursor = HeadCursor(try payload.suffix(at: 4))
        let primaries = UInt16(clamping: try cursor.integer(2, from: &reader))
        let transfer = UInt16(clamping: try cursor.integer(2, from: &reader))
        let matrix = UInt16(clamping: try cursor.integer(2, from: &reader))
        let isFullRange = kind == "nclx" ? try cursor.integer(1, from: &reader) & 0x80 != 0 : false
        self.init(primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: isFullRange)
    }
}
