/// A HEIF file with one picture, its properties, an alpha plane and an EXIF block.
struct HEIFBytes {
    var majorBrand = "heic"
    var itemKind = "hvc1"
    /// Property boxes of the picture, in their order.
    var properties: [[UInt8]] = []
    var exif: [UInt8]?
    var hasAlpha = false
    var isPremultiplied = false
    /// The coded data of a thumbnail item.
    var thumbnail: [UInt8]?
    /// The kind of the auxiliary item, if it is there.
    var auxiliaryKind = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"
    var xmp: String?
    /// The kind of an item that nothing refers to.
    var loneKind = "free"

    static func box(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
        .big(payload.count + 8, 4) + .text(kind) + payload
    }

    static func fullBox(_ kind: String, version: UInt8 = 0, _ payload: [UInt8]) -> [UInt8] {
        box(kind, [version, 0, 0, 0] + payload)
    }

    static func size(_ width: Int, _ height: Int) -> [UInt8] {
        fullBox("ispe", .big(width, 4) + .big(height, 4))
    }

    func encoded() -> [UInt8] {
        let brands = Self.box("ftyp", .text(majorBrand) + .zeros(4) + .text("mif1"))
        // The length of what stands in front of `mdat` does not depend on the offset that `iloc` gives.
        let front = brands.count + meta(exifOffset: 0).count + 8
        return brands + meta(exifOffset: front) + Self.box("mdat", exifItem + (thumbnail ?? []) + xmpItem)
    }

    private var xmpItem: [UInt8] { .text(xmp ?? "") }

    private var exifItem: [UInt8] {
        exif.map { .big(6, 4) + .text("Exif\0\0") + $0 } ?? []
    }

    private func meta(exifOffset: Int) -> [UInt8] {
        let kinds = [itemKind, "Exif", "hvc1", "hvc1", "mime", loneKind].enumerated().flatMap { index, kind in
            Self.fullBox("infe", version: 2, .big(index + 1, 2) + [0, 0] + .text(kind) + [0])
        }
        var references = Self.box("cdsc", .big(2, 2) + .big(1, 2) + .big(1, 2))
        if hasAlpha { references += Self.box("auxl", .big(3, 2) + .big(1, 2) + .big(1, 2)) }
        if isPremultiplied { references += Self.box("prem", .big(1, 2) + .big(1, 2) + .big(3, 2)) }
        if thumbnail != nil { references += Self.box("thmb", .big(4, 2) + .big(1, 2) + .big(1, 2)) }
        if xmp != nil { references += Self.box("cdsc", .big(5, 2) + .big(1, 2) + .big(1, 2)) }
        let alpha = Self.fullBox("auxC", .text(auxiliaryKind + "\0"))
        let indexes = (0..<properties.count).map { UInt8($0 + 1) | 0x80 }
        let associations: [UInt8] =
            .big(3, 4) + .big(4, 2) + [1, UInt8(properties.count + 2)] + .big(1, 2) + [UInt8(indexes.count)] + indexes
            + .big(3, 2) + [1, UInt8(properties.count + 1)]
        var location: [UInt8] = [0x44, 0] + .big(3, 2) + .big(2, 2) + .big(0, 2) + .big(1, 2)
        location += .big(exifOffset, 4) + .big(exifItem.count, 4) + .big(4, 2) + .big(0, 2) + .big(1, 2)
        location += .big(exifOffset + exifItem.count, 4) + .big(thumbnail?.count ?? 0, 4)
        location += .big(5, 2) + .big(0, 2) + .big(1, 2)
        location += .big(exifOffset + exifItem.count + (thumbnail?.count ?? 0), 4) + .big(xmpItem.count, 4)
        return Self.fullBox(
            "meta",
            Self.fullBox("pitm", .big(1, 2)) + Self.fullBox("iinf", .big(6, 2) + kinds)
                + Self.fullBox("iref", references)
                + Self.box(
                    "iprp",
                    Self.box("ipco", properties.flatMap { $0 } + alpha + Self.size(320, 240))
                        + Self.fullBox("ipma", associations))
                + Self.fullBox("iloc", location))
    }
}
