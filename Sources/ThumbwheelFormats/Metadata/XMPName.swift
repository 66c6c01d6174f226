/// The XMP properties that are read, under the prefixes that their namespaces usually have.
enum XMPName: String, CaseIterable {
    case latitude = "exif:GPSLatitude"
    case longitude = "exif:GPSLongitude"
    case altitude = "exif:GPSAltitude"
    case altitudeReference = "exif:GPSAltitudeRef"
    case imageDirection = "exif:GPSImgDirection"
    case imageDirectionReference = "exif:GPSImgDirectionRef"
    case dateTimeOriginal = "exif:DateTimeOriginal"
    case userComment = "exif:UserComment"
    case dateCreated = "photoshop:DateCreated"
    case createDate = "xmp:CreateDate"
    case panoramaProjection = "GPano:ProjectionType"
    case panoramaWidth = "GPano:FullPanoWidthPixels"
    case depthFormat = "GDepth:Format"
    case gainMapVersion = "hdrgm:Version"
    case itemSemantic = "Item:Semantic"
    case auxiliaryType = "apdi:AuxiliaryImageType"
    case burst = "GCamera:BurstID"
    case burstPrimary = "GCamera:BurstPrimary"

    /// The usual prefixes of the namespaces, for packets that use other prefixes.
    static let prefixes: [String: String] = [
        "http://ns.adobe.com/exif/1.0/": "exif", "http://ns.adobe.com/photoshop/1.0/": "photoshop",
        "http://ns.adobe.com/xap/1.0/": "xmp", "http://ns.google.com/photos/1.0/panorama/": "GPano",
        "http://ns.google.com/photos/1.0/depthmap/": "GDepth", "http://ns.adobe.com/hdr-gain-map/1.0/": "hdrgm",
        "http://ns.google.com/photos/1.0/container/item/": "Item", "http://ns.google.com/photos/1.0/camera/": "GCamera",
        "http://ns.apple.com/pixeldatainfo/1.0/": "apdi", "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
    ]

    private static let byHash: [UInt64: XMPName] = Dictionary(
        uniqueKeysWithValues: allCases.map { (hash($0.rawValue.utf8), $0) })

    /// Finds the property with a name. A packet has hundreds of names, and few are wanted, so hashes are compared
    /// first.
    init?(_ name: some Collection<UInt8>) {
        guard let found = Self.byHash[Self.hash(name)], name.elementsEqual(found.rawValue.utf8) else { return nil }
        self = found
    }

    /// The hash of G. Fowler, L. C. Noll and K.-P. Vo (FNV-1a).
    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
