import ThumbwheelCore

/// A look through a JPEG that libjpeg is to decode, which puts up with any number of scans and segments.
enum JPEGScanCount {
    /// Throws where there are more scans or segments than any picture has, without decoding one.
    static func check(_ source: any ByteSource, guardian: DecodeGuard) throws(RenderError) {
        let input = JPEGInput(source)
        var count = 0
        while let marker = try input.marker() {
            switch marker {
            case 0xD9: return
            case 0xD8, 0x01, 0xD0...0xD7: continue
            default: try input.skipSegment()
            }
            guard marker == 0xDA else { continue }
            count += 1
            guard count <= JPEGScanList.limit else { throw .malformed(reason: "more than \(JPEGScanList.limit) scans") }
            try input.skipEntropyCodedData(checking: guardian)
        }
    }
}
