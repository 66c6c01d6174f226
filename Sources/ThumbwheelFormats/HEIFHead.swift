import ThumbwheelCore

/// Reads the description of a HEIF or AVIF file's primary item (ISO/IEC 23008-12).
struct HEIFHead {
    static func read(
        _ reader: inout HeadReader, brandedAs contentType: ContentType
    ) throws(HeadError) -> ImageHead {
        let boxes = try HEIFBoxes(&reader, in: reader.extent)
        guard let meta = boxes["meta"] else { throw .malformed(reason: "no meta box") }
        let items = try HEIFItems(&reader, meta: meta)
        var references: [HEIFItems.Reference] = []
        var kinds: [Int: FourCharacterCode] = [:]
        do throws(HeadError) {
            references = try items.referencesToPrimary(&reader)
            kinds = try items.kinds(&reader)
        } catch  where error.concernsBytes {
            // They only tell of what belongs to the picture.
        }
        let auxiliaries = references.filter { $0.kind == "auxl" && $0.to == items.primary }.map(\.from)
        let thumbnails = references.filter { $0.kind == "thmb" && $0.to == items.primary }.map(\.from)
        let properties = try items.properties(&reader, of: Set(auxiliaries + thumbnails + [items.primary]))

        var picture = HEIFPicture()
        for property in properties[items.primary] ?? [] { try picture.apply(&reader, property) }
        guard !picture.size.isEmpty else { throw .malformed(reason: "a primary item without a size") }

        // The decoder turns and mirrors by itself: the size is the upright one and nothing is left to be done. EXIF
        // repeats the orientation, and to follow it would turn the picture twice.
        var head = ImageHead(
            contentType: type(kinds[items.primary], brandedAs: contentType), storedSize: picture.size,
            profile: picture.profile, bitsPerChannel: picture.bitsPerChannel ?? 8, codedColor: picture.codedColor)
        // Made by the colours about their alpha.
        head.hasPremultipliedAlpha = references.contains { $0.kind == "prem" && auxiliaries.contains($0.to) }
        for auxiliary in auxiliaries {
            for property in properties[auxiliary] ?? [] where property.kind == "auxC" {
                if try isAlpha(&reader, property.payload) { head.hasAlpha = true }
            }
        }
        let exif = try exif(&reader, items, kinds, references)
        head.captureDate = exif.captureDate
        head.exifColorSpace = exif.colorSpace
        for thumbnail in thumbnails.prefix(thumbnailLimit) {
            let kind = type(kinds[thumbnail], brandedAs: contentType)
            guard
                var preview = try preview(&reader, items, of: thumbnail, properties: properties[thumbnail] ?? [])
            else { continue }
            preview.contentType = kind
            // With the box's own header, of 8 or 16 bytes.
            preview.container = max(0, meta.lowerBound - 16)..<meta.upperBound
            head.previews.append(preview)
        }
        return head
    }

    private static let thumbnailLimit = 4

    /// A thumbnail item whose data lie in one piece; nil for any other.
    private static func preview(
        _ reader: inout HeadReader, _ items: HEIFItems, of thumbnail: Int, properties: [HEIFBoxes.Box]
    ) throws(HeadError) -> EmbeddedPreview? {
        do throws(HeadError) {
            guard let place = try items.place(&reader, of: thumbnail), !place.isEmpty else { return nil }
            var picture = HEIFPicture()
            for property in properties { try picture.apply(&reader, property) }
            guard !picture.size.isEmpty else { return nil }
            return EmbeddedPreview(
                kind: .heifThumbnail, byteRange: place, contentType: .heif, pixelSize: picture.size)
        } catch  where error.concernsBytes {
            return nil
        }
    }

    private static func type(_ kind: FourCharacterCode?, brandedAs contentType: ContentType) -> ContentType {
        switch kind {
        case "av01": .avif
        case "hvc1": .heic
        default: contentType
        }
    }

    private static func isAlpha(_ reader: inout HeadReader, _ payload: Range<Int>) throws(HeadError) -> Bool {
        let start = try payload.suffix(at: 4).lowerBound
        if try reader.matches("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0", at: start) { return true }
        return try reader.matches("urn:mpeg:hevc:2015:auxid:1\0", at: start)
    }

    /// The EXIF block that describes the photograph, or an empty one.
    private static func exif(
        _ reader: inout HeadReader, _ items: HEIFItems, _ kinds: [Int: FourCharacterCode],
        _ references: [HEIFItems.Reference]
    ) throws(HeadError) -> EXIF {
        let blocks = kinds.filter { $0.value == "Exif" }.keys.sorted()
        let describing = references.filter { $0.kind == "cdsc" && $0.to == items.primary && blocks.contains($0.from) }.map(\.from)
        guard let item = describing.first ?? blocks.first else { return EXIF() }
        do throws(HeadError) {
            guard let place = try items.place(&reader, of: item) else { return EXIF() }
            // In front stands how many bytes there are before the TIFF header, not counting these four.
            let skipped = try reader.integer(at: place.subrange(at: 0, count: 4).lowerBound, width: 4)
            return try EXIF(&reader, in: place.suffix(at: 4).suffix(at: skipped))
        } catch  where error.concernsBytes {
            return EXIF()
        }
    }
}

/// What the properties of a picture add up to, applied one after the other.
private struct HEIFPicture {
    var size = PixelSize.zero
    var bitsPerChannel: Int?
    var profile: EmbeddedProfile?
    var codedColor: CodingIndependentColor?

    mutating func apply(_ reader: inout HeadReader, _ property: HEIFBoxes.Box) throws(HeadError) {
        let payload = property.payload
        switch property.kind {
        case "ispe":
            let start = try payload.subrange(at: 4, count: 8).lowerBound
            size.width = try reader.integer(at: start, width: 4)
            size.height = try reader.integer(at: start + 4, width: 4)
        case "clap":
            let start = try payload.subrange(at: 0, count: 16).lowerBound
            size.width = try cropped(&reader, size.width, at: start)
            size.height = try cropped(&reader, size.height, at: start + 8)
        case "irot":
            if try reader.byte(at: payload.subrange(at: 0, count: 1).lowerBound) & 1 == 1 { size = size.transposed }
        case "pixi":
            let start = try payload.subrange(at: 4, count: 2).lowerBound
            if try reader.byte(at: start) > 0 { bitsPerChannel = try reader.integer(at: start + 1, width: 1) }
        case "av1C" where bitsPerChannel == nil:
            let flags = try reader.byte(at: payload.subrange(at: 2, count: 1).lowerBound)
            bitsPerChannel = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
        case "hvcC" where bitsPerChannel == nil:
            bitsPerChannel = Int(try reader.byte(at: payload.subrange(at: 17, count: 1).lowerBound) & 7) + 8
        case "colr":
            let start = try payload.subrange(at: 0, count: 4).lowerBound
            let kind = try reader.code(at: start)
            if kind == "prof" || kind == "rICC" {
                profile = try ICCProfile(extents: [payload.suffix(at: 4)]).describe(&reader)
            } else if kind == "nclx", payload.count >= 11 {
                codedColor = CodingIndependentColor(
                    primaries: UInt16(clamping: try reader.integer(at: start + 4, width: 2)),
                    transfer: UInt16(clamping: try reader.integer(at: start + 6, width: 2)),
                    matrix: UInt16(clamping: try reader.integer(at: start + 8, width: 2)),
                    isFullRange: try reader.byte(at: start + 10) & 0x80 != 0)
            }
        default:
            break
        }
    }

    /// A side after the clean aperture's fraction, which never makes it longer.
    private func cropped(_ reader: inout HeadReader, _ side: Int, at place: Int) throws(HeadError) -> Int {
        let numerator = try reader.integer(at: place, width: 4)
        let denominator = try reader.integer(at: place + 4, width: 4)
        guard denominator > 0, numerator > 0 else { return side }
        return min(side, max(1, (numerator + denominator / 2) / denominator))
    }
}
