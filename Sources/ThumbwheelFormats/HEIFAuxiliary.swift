/// Tells the kinds of auxiliary items of a HEIF file apart (ISO/IEC 23008-12, 6.5.8).
enum HEIFAuxiliary {
    /// Returns the first of `auxiliaries` that holds a picture's alpha; nil if none does.
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
}
