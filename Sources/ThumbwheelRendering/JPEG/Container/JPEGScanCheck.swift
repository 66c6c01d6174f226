import ThumbwheelCore

/// Counts the scans and segments of a JPEG before libjpeg decodes it, because libjpeg itself accepts any number. A file
/// with more than any real picture has is refused. The scan headers also tell whether a progressive file is complete.
struct JPEGScanCheck {
    /// The bits of each coefficient that the scans so far contain. For each component's identifier, there are 64
    /// numbers, one for each coefficient in zigzag order. Each number is the lowest bit of the coefficient in any scan
    /// so far, or -1 if no scan contains the coefficient.
    private var lowBits: [UInt8: [Int]] = [:]

    /// Whether the scans of a progressive image, by their headers, contain all bits of all its coefficients. If not,
    /// the file was cut off between two scans. The scans' data may still be damaged.
    var hasAllBits: Bool { !lowBits.isEmpty && lowBits.values.allSatisfy { $0.allSatisfy { $0 == 0 } } }

    /// Counts the file's scans and segments without decoding them. Throws if there are more than any real picture has.
    /// A damaged segment only ends the count, because the decoder may still show the data before it.
    init(checking source: any ByteSource, guardian: DecodeGuard) throws(RenderError) {
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
            guard let contents = try? Self.contents(of: marker, input) else { return }
            if Self.isFrame(marker) { takeFrame(contents) }
            guard marker == 0xDA else { continue }
            takeScan(contents)
            scanCount += 1
            guard scanCount <= JPEGScanList.limit else {
                throw .malformed(reason: "more than \(JPEGScanList.limit) scans")
            }
            try input.skipEntropyCodedData(checking: guardian)
        }
    }

    /// Reads the contents of the current segment if it is a frame header or a scan header. A segment of any other kind
    /// is skipped, and its contents are returned as an empty array.
    ///
    /// - Returns: nil if the file ends within a frame or scan header.
    private static func contents(of marker: UInt8, _ input: JPEGInput) throws(RenderError) -> [UInt8]? {
        if marker == 0xDA || isFrame(marker) { return try input.segment() }
        try input.skipSegment()
        return []
    }

    private static func isFrame(_ marker: UInt8) -> Bool { 0xC0...0xCF ~= marker && marker & 3 != 0 || marker == 0xC0 }

    /// Takes the identifiers of the components from a frame header (T.81, B.2.2).
    private mutating func takeFrame(_ contents: [UInt8]) {
        for place in stride(from: 6, to: contents.count, by: 3) {
            lowBits[contents[place]] = Array(repeating: -1, count: 64)
        }
    }

    /// Records the lowest bit that a scan contains (T.81, B.2.3). The bit is recorded for each coefficient in the
    /// scan's band, in each component of the scan.
    private mutating func takeScan(_ contents: [UInt8]) {
        let count = Int(contents.first ?? 0)
        guard contents.count == 4 + 2 * count else { return }
        let (first, last, bits) = (contents[1 + 2 * count], contents[2 + 2 * count], contents[3 + 2 * count])
        guard first <= last, last < 64 else { return }
        for part in 0..<count {
            for place in first...last { lowBits[contents[1 + 2 * part]]?[Int(place)] = Int(bits & 15) }
        }
    }
}
