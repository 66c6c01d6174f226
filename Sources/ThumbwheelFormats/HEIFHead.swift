import ThumbwheelCore

/// Reads the facts about the primary item (the picture) of a HEIF or AVIF file (ISO/IEC 23008-12).
struct HEIFHead: HeadFormat {
    static let contentTypes: [ContentType] = [.heic, .avif, .heif]

    /// Recognises the type by the brands in the file type box (ISO/IEC 14496-12, 4.3; 23008-12, 10).
    static func contentType(of start: FileStart) -> ContentType? {
        guard start.has("ftyp", at: 4) else { return nil }
        let bytes = start.bytes
        let boxSize = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        var brands: Set<FourCharacterCode> = []
        for offset in stride(from: 8, to: min(boxSize, bytes.count) - 3, by: 4) where offset != 12 {
            brands.insert(FourCharacterCode(rawValue: bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }))
        }
        if !brands.isDisjoint(with: ["avif", "avis"]) { return .avif }
        if !brands.isDisjoint(with: ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]) { return .heic }
        if !brands.isDisjoint(with: ["mif1", "mif2", "msf1"]) { return .heif }
        return nil
    }

    private let contentType: ContentType
    private let meta: Range<Int>
    private let items: HEIFItems
    private var references = HEIFReferences()
    private var kinds: [Int: FourCharacterCode] = [:]
    private var properties: [Int: [HEIFBoxes.Box]] = [:]

    static let thumbnailLimit = 4

    static func read(
        _ reader: inout HeadReader, as contentType: ContentType, noting metadata: inout ImageMetadata
    ) throws(HeadError) -> ImageHead {
        try HEIFHead(&reader, brandedAs: contentType).head(&reader, noting: &metadata)
    }

    private init(_ reader: inout HeadReader, brandedAs contentType: ContentType) throws(HeadError) {
        self.contentType = contentType
        let boxes = try HEIFBoxes(&reader, in: reader.extent)
        guard let meta = boxes["meta"] else { throw .malformed(reason: "no meta box") }
        self.meta = meta
        items = try HEIFItems(&reader, meta: meta)
        do throws(HeadError) {
            references = try items.references(&reader)
            kinds = try items.kinds(&reader)
        } catch  where error.concernsBytes {
            // References and kinds only describe items that belong to the picture, so the `ImageHead` is valid without
            // them.
        }
        try references.checkDerivations(of: [items.primary] + references.auxiliaries + references.thumbnails)
        let wanted = derivation + references.auxiliaries + thumbnails
        properties = try items.properties(&reader, of: Set(wanted))
    }

    private var thumbnails: ArraySlice<Int> { references.thumbnails.prefix(Self.thumbnailLimit) }

    /// The primary item and, if it is not coded itself, the items that it is derived from.
    private var derivation: [Int] {
        kinds[items.primary].flatMap(Self.codedType) != nil ? [items.primary] : references.derivation(of: items.primary)
    }

    private func head(
        _ reader: inout HeadReader, noting metadata: inout ImageMetadata
    ) throws(HeadError) -> ImageHead {
        var picture = try HEIFPicture(&reader, properties[items.primary] ?? [])
        guard !picture.size.isEmpty else { throw .malformed(reason: "a primary item without a size") }
        // If a grid states no colours of its own, those of its tiles count: early iPhones attach the profile to the
        // tiles.
        var tileSize: PixelSize?
        do throws(HeadError) {
            for item in derivation.dropFirst() {
                let part = try HEIFPicture(&reader, properties[item] ?? [])
                picture.takeColors(of: part)
                if kinds[items.primary] == "grid", tileSize == nil, !part.storedSize.isEmpty {
                    tileSize = part.storedSize
                }
            }
        } catch  where error.concernsBytes {
            // Damaged tiles do not matter here; the decoder will report them.
        }
        // The decoder itself turns and mirrors the picture. So the size is that of the upright picture, and the
        // orientation is `up`. EXIF repeats the orientation, but following it would turn the picture twice.
        var head = ImageHead(
            contentType: derivation.lazy.compactMap { kinds[$0].flatMap(Self.codedType) }.first ?? contentType,
            storedSize: picture.size,
            profile: try ICCProfile(extents: [picture.profile].compactMap(\.self)).describe(&reader),
            heif: HEIFCoding(
                tileSize: tileSize, hasFullChroma: picture.hasFullChroma ?? false,
                uncroppedSize: picture.isCropped ? picture.storedSize : nil),
            bitsPerChannel: picture.bitsPerChannel ?? 8, codedColor: picture.codedColor)
        if let alpha = try HEIFAuxiliary.alpha(&reader, among: references.auxiliaries, properties) {
            head.hasAlpha = true
            head.hasPremultipliedAlpha = references.multipliedAlphas.contains(alpha)
        }
        for auxiliary in references.auxiliaries.prefix(HEIFAuxiliary.limit) {
            guard let kind = try HEIFAuxiliary.kind(&reader, properties[auxiliary] ?? []) else { continue }
            metadata.auxiliaryKinds.append(kind)
        }
        // A tone map item derives a rendering from the picture and its gain map (ISO 21496-1, and 23008-12, 6.6.2.4).
        if kinds.values.contains("tmap") { metadata.gainMap = "HEIF tone map item" }
        let (block, packet) = (exifBlock, xmpPacket)
        let extents = try items.extents(&reader, of: Set(Array(thumbnails) + [block, packet].compactMap(\.self)))
        let places = extents.compactMapValues { $0.count == 1 && $0[0].upperBound <= reader.byteCount ? $0[0] : nil }
        if let block, let place = places[block] {
            let exif = try exif(&reader, at: place)
            head.captureDate = exif.captureDate
            head.exifColorSpace = exif.colorSpace
            metadata.exif = exif
        }
        metadata.xmp = packet.flatMap { places[$0] }
        for thumbnail in thumbnails {
            guard let place = places[thumbnail], let preview = try preview(&reader, of: thumbnail, at: place) else {
                continue
            }
            head.previews.append(preview)
        }
        return head
    }

    /// Returns the type of a file whose picture is coded as an item of this kind; nil for items that are derived from
    /// other items.
    static func codedType(_ kind: FourCharacterCode) -> ContentType? {
        switch kind {
        case "av01": .avif
        case "hvc1": .heic
        default: nil
        }
    }

    /// Returns the preview in a thumbnail item whose data lies in one piece; nil for an item without a size.
    private func preview(
        _ reader: inout HeadReader, of thumbnail: Int, at place: Range<Int>
    ) throws(HeadError) -> EmbeddedPreview? {
        do throws(HeadError) {
            let size = try HEIFPicture(&reader, properties[thumbnail] ?? []).size
            guard !place.isEmpty, !size.isEmpty else { return nil }
            return EmbeddedPreview(
                kind: .heifThumbnail, byteRange: place,
                contentType: kinds[thumbnail].flatMap(Self.codedType) ?? contentType, pixelSize: size,
                // The range includes the header of the `meta` box, of 8 or 16 bytes.
                container: max(0, meta.lowerBound - 16)..<meta.upperBound)
        } catch  where error.concernsBytes {
            return nil
        }
    }

    /// The item with the photograph's EXIF block: the EXIF item that refers to the photograph, or else the first EXIF
    /// item.
    private var exifBlock: Int? {
        references.descriptions.first { kinds[$0] == "Exif" }
            ?? kinds.lazy.filter { $0.value == "Exif" }.map(\.key).min()
    }

    /// The item with the photograph's XMP packet: the item of type `mime` that refers to the photograph.
    private var xmpPacket: Int? { references.descriptions.first { kinds[$0] == "mime" } }

    private func exif(_ reader: inout HeadReader, at place: Range<Int>) throws(HeadError) -> EXIF {
        do throws(HeadError) {
            // The EXIF block begins with the number of bytes between this number and the TIFF header.
            let skipped = try reader.integer(at: place.subrange(at: 0, count: 4).lowerBound, width: 4)
            return try EXIF(&reader, in: place.suffix(at: 4).suffix(at: skipped))
        } catch  where error.concernsBytes {
            return EXIF()
        }
    }
}
