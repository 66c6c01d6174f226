import ThumbwheelCore

/// Reads the header of a PNG by following its chunks (W3C PNG, third edition, with APNG's `acTL`).
struct PNGHead: HeadFormat {
    static let contentTypes: [ContentType] = [.png]

    static func contentType(of start: FileStart) -> ContentType? {
        start.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) ? .png : nil
    }

    private var head: ImageHead
    private var metadata = ImageMetadata()
    private let isGray: Bool
    private var dataChunkCount = 0
    private var hasEXIF = false

    /// The greatest number of pixel chunks that are skipped in search of EXIF, which may come after the pixels.
    private static let dataChunkLimit = 512

    static func read(
        _ reader: inout HeadReader, as type: ContentType, noting metadata: inout ImageMetadata
    ) throws(HeadError) -> ImageHead {
        var png = try PNGHead(&reader)
        do throws(HeadError) {
            try png.readChunks(&reader)
        } catch  where error.concernsBytes && png.dataChunkCount > 0 {
            // The file is cut short after the beginning of the pixels, or exceeds a limit of the reader. The facts
            // before that are kept.
        }
        metadata = png.metadata
        return png.head
    }

    /// Reads the header chunk, which must come first.
    private init(_ reader: inout HeadReader) throws(HeadError) {
        guard try reader.integer(at: 8, width: 4) == 13, try reader.code(at: 12) == "IHDR" else {
            throw .malformed(reason: "no IHDR chunk in front")
        }
        let size = PixelSize(
            width: try reader.integer(at: 16, width: 4), height: try reader.integer(at: 20, width: 4))
        guard 1...Int(Int32.max) ~= size.width, 1...Int(Int32.max) ~= size.height else {
            throw .malformed(reason: "a size of \(size)")
        }
        let depth = try reader.integer(at: 24, width: 1)
        let colorType = try reader.integer(at: 25, width: 1)
        let depths =
            switch colorType {
            case 0: [1, 2, 4, 8, 16]
            case 3: [1, 2, 4, 8]
            case 2, 4, 6: [8, 16]
            default: [Int]()
            }
        guard depths.contains(depth) else {
            throw .malformed(reason: "colour type \(colorType) with \(depth) bits")
        }
        isGray = colorType == 0 || colorType == 4
        head = ImageHead(
            contentType: .png, storedSize: size, hasAlpha: colorType & 4 != 0,
            bitsPerChannel: colorType == 3 ? 8 : depth)
        // A file that ends here has other faults than its interlacing.
        head.isInterlaced = reader.byteCount > 28 ? try reader.byte(at: 28) != 0 : false
    }

    private mutating func readChunks(_ reader: inout HeadReader) throws(HeadError) {
        var position = 33
        while position < reader.byteCount {
            try reader.enterPart()
            let length = try reader.integer(at: position, width: 4)
            let code = try reader.code(at: position + 4)
            if code == "IEND" { return }
            // The first chunk of pixels may be cut short, because all chunks before it are complete.
            if code == "IDAT" {
                dataChunkCount += 1
                guard dataChunkCount <= Self.dataChunkLimit else { return }
            }
            let payload = try reader.extent.subrange(at: position + 8, count: length)
            try read(&reader, code, payload)
            position = try reader.extent.subrange(at: payload.upperBound, count: 4).upperBound
        }
    }

    private mutating func read(
        _ reader: inout HeadReader, _ code: FourCharacterCode, _ payload: Range<Int>
    ) throws(HeadError) {
        switch code {
        case "tRNS":
            head.hasAlpha = true
        case "acTL" where payload.count >= 8 && dataChunkCount == 0:
            head.frameCount = max(1, try reader.integer(at: payload.lowerBound, width: 4))
        case "cICP" where payload.count == 4 && head.codedColor == nil && dataChunkCount == 0:
            let code = try reader.integer(at: payload.lowerBound, width: 4)
            // PNG samples are RGB, so a chunk with a matrix is invalid.
            guard code >> 8 & 0xFF == 0 else { return }
            head.codedColor = CodingIndependentColor(
                primaries: UInt16(code >> 24), transfer: UInt16(code >> 16 & 0xFF), matrix: 0,
                isFullRange: code & 0xFF != 0)
        case "eXIf" where !hasEXIF:
            hasEXIF = true
            let exif = try EXIF(&reader, in: payload)
            head.orientation = exif.orientation
            head.captureDate = exif.captureDate
            head.exifColorSpace = exif.colorSpace
            metadata.exif = exif
        case "iCCP" where head.profile == nil:
            // The profile itself is compressed. Its colour space follows from the kind of pixels. Its name is at the
            // beginning of the chunk, in Latin-1.
            let name = try reader.bytes(in: payload.lowerBound..<min(payload.upperBound, payload.lowerBound + 80))
            let text = String(String.UnicodeScalarView(name.prefix { $0 != 0 }.map { Unicode.Scalar($0) }))
            head.profile = EmbeddedProfile(
                name: text.isEmpty ? nil : text, colorSpace: isGray ? "GRAY" : "RGB", byteCount: payload.count)
        case "tIME" where payload.count == 7:
            metadata.pngDates.readChange(try reader.bytes(in: payload))
        case "tEXt", "iTXt":
            try readText(&reader, isInternational: code == "iTXt", payload)
        default:
            break
        }
    }

    /// Reads a text that states a date or names a program, or notes the place of an XMP packet.
    private mutating func readText(
        _ reader: inout HeadReader, isInternational: Bool, _ payload: Range<Int>
    ) throws(HeadError) {
        var bytes = try reader.bytes(in: payload.lowerBound..<min(payload.upperBound, payload.lowerBound + 160))
        if isInternational {
            // Between keyword and text stand two bytes about compression, the language, and the keyword in that
            // language.
            let keyword = bytes.prefix { $0 != 0 }
            let head = bytes.dropFirst(keyword.count + 1)
            guard let isCompressed = head.first, isCompressed == 0,
                let language = head.dropFirst(2).firstIndex(of: 0),
                let translation = head[(language + 1)...].firstIndex(of: 0)
            else { return }
            if keyword.elementsEqual("XML:com.adobe.xmp".utf8), metadata.xmp == nil {
                metadata.xmp = payload.lowerBound + translation + 1..<payload.upperBound
            }
            bytes = [UInt8](keyword + head[translation...])
        }
        metadata.pngDates.readText(bytes)
        let keyword = Array("Software\0".utf8)
        if bytes.starts(with: keyword) {
            metadata.pngSoftware = String(decoding: bytes.dropFirst(keyword.count), as: UTF8.self)
        }
    }
}
