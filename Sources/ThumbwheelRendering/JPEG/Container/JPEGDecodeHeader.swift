/// The contents of a JPEG that come before its first scan's data.
struct JPEGDecodeHeader {
    let frame: JPEGFrame
    let tables: JPEGTables
    let scan: JPEGScan
    /// Whether the components are red, green and blue.
    let isRGB: Bool
    /// The meaning of the components: red, green and blue, or luma and chroma.
    var colors: PlaneColors { isRGB ? .direct : .luma(.bt601) }
    /// The ICC profile; nil if the caller did not ask for it or the file has none.
    let profile: [UInt8]?
    /// Whether one sequential scan holds all components of the image. Rows can then be made while the scan is read.
    var isSingleScan: Bool { !frame.isProgressive && scan.components.count == frame.components.count }

    /// Reads everything before the first scan's data. Afterwards, the input is at the start of these data.
    ///
    /// - Returns: nil for files that this decoder does not cover: arithmetic, lossless, hierarchical and 12-bit coding,
    ///   2 and 4 components, and heights given only after the first scan.
    init?(_ input: JPEGInput, keepsProfile: Bool) throws(RenderError) {
        var tables = JPEGTables()
        var frame: JPEGFrame?
        var adobeTransform: UInt8?
        var isJFIF = false
        var profileChunks: [(sequence: UInt8, bytes: ArraySlice<UInt8>)] = []
        while true {
            guard let marker = try input.marker() else { throw .truncated(decodedFraction: 0) }
            switch marker {
            case 0xD8, 0x01, 0xD0...0xD7:
                continue
            case 0xD9:
                throw .malformed(reason: "no scan before the end of the image")
            case 0xC4, 0xDB, 0xDD, 0xE0, 0xEE, 0xC0...0xC2, 0xDA:
                break
            case 0xE2 where keepsProfile:
                break
            case 0xC3, 0xC5...0xCF, 0xDC, 0xDE, 0xDF:
                return nil
            default:
                try input.skipSegment()
                continue
            }
            guard let contents = try input.segment() else { throw .truncated(decodedFraction: 0) }
            switch marker {
            case 0xE0:
                if contents.starts(with: [0x4A, 0x46, 0x49, 0x46, 0]) { isJFIF = true }
            case 0xEE:
                let isAdobe = contents.count >= 12 && contents.starts(with: [0x41, 0x64, 0x6F, 0x62, 0x65])
                if isAdobe { adobeTransform = contents[11] }
            case 0xE2:
                // A chunk of the profile begins with "ICC_PROFILE" and a zero byte. Two more bytes hold the chunk's
                // number, counted from 1, and the number of chunks (ICC.1, annex B.4).
                guard contents.count > 14, contents.starts(with: Array("ICC_PROFILE\0".utf8)), profileChunks.count < 255
                else { continue }
                profileChunks.append((contents[12], contents[14...]))
            case 0xC0...0xC2:
                guard frame == nil else { throw .malformed(reason: "a second frame header") }
                guard let read = try JPEGFrame(marker: marker, contents: contents) else { return nil }
                frame = read
            case 0xDA:
                guard let frame else { throw .malformed(reason: "a scan before the frame header") }
                self.frame = frame
                self.tables = tables
                scan = try JPEGScan(contents: contents, frame: frame)
                profile =
                    profileChunks.isEmpty
                    ? nil : profileChunks.sorted { $0.sequence < $1.sequence }.flatMap { Array($0.bytes) }
                isRGB = Self.isRGB(frame, isJFIF: isJFIF, adobeTransform: adobeTransform)
                return
            default:
                try tables.read(marker: marker, contents: contents)
            }
        }
    }

    /// Whether the components are red, green and blue, by the same rule as in libjpeg and the decoders derived from it:
    /// - With a JFIF segment, they are not.
    /// - Otherwise an Adobe segment tells it.
    /// - With neither segment, they are if their identifiers are the letters R, G and B.
    private static func isRGB(_ frame: JPEGFrame, isJFIF: Bool, adobeTransform: UInt8?) -> Bool {
        guard frame.components.count == 3, !isJFIF else { return false }
        if let adobeTransform { return adobeTransform == 0 }
        return frame.components.map(\.identifier) == [0x52, 0x47, 0x42]
    }
}
