/// Tells the kinds of auxiliary items of a HEIF file apart (ISO/IEC 23008-12, 6.5.8).
enum HEIFAuxiliary {
    /// The greatest number of auxiliary items that are examined. A picture usually has few: an alpha plane, a depth
    /// map, a gain map and some mattes.
    static let limit = 64
    /// The greatest length of a kind's name in bytes. The names that are in use are less than half as long.
    private static let nameLimit = 128

    /// Returns the first of `auxiliaries` that is the alpha plane of a picture; nil if none is.
    static func alpha(
        _ reader: inout HeadReader, among auxiliaries: [Int], _ properties: [Int: [HEIFBoxes.Box]]
    ) throws(HeadError) -> Int? {
        for auxiliary in auxiliaries {
            for property in properties[auxiliary] ?? [] where property.kind == "auxC" {
                let start = try property.payload.suffix(at: 4).lowerBound
                if try reader.matches("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0", at: start) { return auxiliary }
                if try reader.matches("urn:mpeg:hevc:2015:auxid:1\0", at: start) { return auxiliary }
            }
        }
        return nil
    }

    /// Returns the name of an item's kind, for example that of a gain map; nil if its properties state none.
    static func kind(_ reader: inout HeadReader, _ properties: [HEIFBoxes.Box]) throws(HeadError) -> String? {
        do throws(HeadError) {
            guard let payload = properties.first(where: { $0.kind == "auxC" })?.payload else { return nil }
            let name = try payload.suffix(at: 4)
            let bytes = try reader.bytes(in: name.lowerBound..<min(name.upperBound, name.lowerBound + nameLimit))
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        } catch  where error.concernsBytes {
            return nil
        }
    }
}
