import ThumbwheelCore

/// A look through a JPEG that libjpeg is to decode, which puts up with any number of scans and segments.
enum JPEGScanCount {
    /// Throws where there are more scans or segments than any picture has, without decoding one. What else is wrong with the
    /// file is for the decoder to find: it may make something of what comes before.
    static func check(_ source: any ByteSource, guardian: DecodeGuard) throws(RenderError) {
        let input = JPEGInput(source)
        var segmentCount = 0
        var scanCount = 0
        while let marker = try input.marker() {
            switch marker {
            case 0xD9: return
            case 0xD8, 0x01, 0xD0...0xD7: continue
            default: segmentCount += 1
            }
            guard segmentCount <= JPEGInput.segmentLimit else {
                throw .malformed(reason: "more than \(JPEGInput.segmentLimit) segments")
            }
            guard (try? input.skipSegment()) != nil else { return }
            guard marker == 0xDA else { continue }
            scanCount += 1
            guard scanCount <= JPEGScanList.limit else {
                throw .malformed(reason: "more than \(JPEGScanList.limit) scans")
            }
            try input.skipEntropyCodedData(checking: guardian)
        }
    }
}
