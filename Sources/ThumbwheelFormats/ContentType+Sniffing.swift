import ThumbwheelCore

extension ContentType {
    /// A still image in the HEIF container whose coding the file's brands do not tell.
    public static let heif = ContentType(rawValue: "image/heif")

    /// How many bytes from the start of a file suffice to tell its type.
    public static let sniffedByteCount = 256

    /// The image type that the first bytes of a file show, whatever its name says; nil for anything else.
    ///
    /// - Parameter bytes: the start of the file; `sniffedByteCount` of them tell all that can be told.
    public init?(sniffing bytes: [UInt8]) {
        func has(_ text: StaticString, at offset: Int = 0) -> Bool {
            bytes.dropFirst(offset).starts(with: text.withUTF8Buffer { [UInt8]($0) })
        }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if has("RIFF"), has("WEBP", at: 8) {
            self = .webp
        } else if has("GIF87a") || has("GIF89a") {
            self = .gif
        } else if has("II*\0") || has("MM\0*") || has("II+\0") || has("MM\0+") {
            // Of the TIFF structures that cameras write their sensors' data in, Canon's alone shows in front; what tells
            // the others apart stands in their directories.
            self = has("CR", at: 8) ? .cr2 : .tiff
        } else if has("ftyp", at: 4) {
            guard let type = Self.branded(bytes) else { return nil }
            self = type
        } else if has("BM"), Self.beginsBitmapHeader(bytes.dropFirst(14).prefix(4)) {
            self = .bmp
        } else {
            return nil
        }
    }

    /// The image type that the first bytes of `source` show; nil for anything but an image.
    public init?(sniffing source: any ByteSource) throws(ByteSourceError) {
        self.init(sniffing: try source.bytes(in: 0..<Self.sniffedByteCount))
    }

    /// "BM" begins many a text: the size of the header that follows must be one that was ever written.
    private static func beginsBitmapHeader(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count == 4 else { return false }
        let size = bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
        return size == 12 || 16...64 ~= size || size == 108 || size == 124
    }

    /// The type that the brands of a file type box tell (ISO/IEC 14496-12, 4.3; 23008-12, 10).
    private static func branded(_ bytes: [UInt8]) -> ContentType? {
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
}
