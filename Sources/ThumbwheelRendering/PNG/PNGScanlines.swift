/// Converts the scanlines of a picture, or of one pass of an interlaced picture, to pixels.
///
/// Samples of 16 bits are cut to their upper 8 bits, as in libvips, except if the caller wants all bits. The lower
/// bytes are dropped before the filters are undone. This is possible because a filter computes each byte only from
/// bytes at the same position within other pixels. But if pixels are compared with a transparent colour, the lower
/// bytes are kept for the comparison.
final class PNGScanlines {
    static let groupHeight = PNGUnfilter.groupHeight
    /// The number of bytes by which vector loads may read beyond the last scanline of a group. A group is several
    /// consecutive scanlines that are decoded together.
    static let slack = PNGUnfilter.slack

    /// The number of bytes of a scanline, including its filter type.
    let byteCount: Int
    private let width: Int
    private let converter: PNGConverter
    private let unfilter: PNGUnfilter
    // The upper bytes of a group of scanlines with 16-bit samples, if these samples are reduced to 8 bits. The plane
    // has no rows if the lower bytes are needed as well, or if the samples have at most 8 bits.
    private let upperBytes: AlignedPlane<UInt8>
    private let pixels: AlignedPlane<UInt8>

    init(_ header: PNGHeader, samples: PNGSamples, channels: Int, width: Int) {
        self.width = width
        byteCount = 1 + header.byteCount(ofWidth: width)
        converter = PNGConverter(samples, depth: header.depth, channels: channels)
        let isCut = header.depth == 16 && !converter.needsLowerBytes
        let unfilteredByteCount = isCut ? (byteCount - 1) / 2 : byteCount - 1
        unfilter = PNGUnfilter(
            byteCount: unfilteredByteCount, distance: max(1, header.bitsPerPixel / (isCut ? 16 : 8)))
        upperBytes = AlignedPlane(
            pitch: (unfilteredByteCount + 1 + Self.slack + 15) / 16 * 16, rowCount: isCut ? Self.groupHeight : 0)
        pixels = AlignedPlane(
            pitch: width * converter.bytesPerPixel + Self.slack, rowCount: converter.isNeeded ? Self.groupHeight : 0)
    }

    /// Converts a group of consecutive scanlines. Up to `slack` bytes after them may be read.
    ///
    /// - Returns: the number of scanlines that were converted. It is less than `count` if a scanline has an undefined
    ///   filter type.
    func take(_ scanlines: UnsafePointer<UInt8>, count: Int) -> Int {
        precondition(count > 0 && count <= Self.groupHeight)
        let made: Int
        if upperBytes.rowCount > 0 {
            for index in 0..<count { cut(scanlines + index * byteCount, into: upperBytes[index]) }
            made = unfilter.take(upperBytes.start, pitch: upperBytes.pitch, count: count)
        } else {
            made = unfilter.take(scanlines, pitch: byteCount, count: count)
        }
        if converter.isNeeded {
            for index in 0..<made { converter.convert(unfilter.line(index), width: width, into: pixels[index]) }
        }
        return made
    }

    /// The pixels of one of the lines that the last call of `take` converted.
    func row(_ index: Int) -> UnsafePointer<UInt8> {
        UnsafePointer(converter.isNeeded ? pixels[index] : unfilter.line(index))
    }

    /// Copies a filtered scanline without the lower bytes of its 16-bit samples. The copy begins with the filter type,
    /// followed by the upper byte of each sample.
    private func cut(_ scanline: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>) {
        target[0] = scanline[0]
        let (source, target) = (scanline + 1, target + 1)
        let count = (byteCount - 1) / 2
        for index in 0..<count { target[index] = source[2 &* index] }
    }
}
