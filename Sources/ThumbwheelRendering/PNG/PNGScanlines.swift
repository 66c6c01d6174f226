/// Makes 8-bit pixels of the scanlines of a picture, or of one pass of an interlaced one.
///
/// Samples of 16 bits are cut to their upper 8, as libvips does. Filters know nothing of samples: each byte follows from
/// bytes in the same place of other pixels, so that lower bytes that nobody asks for are dropped before.
final class PNGScanlines {
    static let groupHeight = PNGUnfilter.groupHeight
    /// Bytes that may be read behind the last scanline of a group.
    static let slack = PNGUnfilter.slack

    /// Bytes of a scanline with its filter type.
    let byteCount: Int
    private let width: Int
    private let converter: PNGConverter
    private let unfilter: PNGUnfilter
    // The upper bytes of a group's samples; without a row if they are taken as they are.
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
            pitch: width * channels + Self.slack, rowCount: converter.isNeeded ? Self.groupHeight : 0)
    }

    /// Takes a group of scanlines, one behind the other; `slack` bytes behind them may be read.
    ///
    /// - Returns: how many were made; fewer if there is a filter type without a meaning.
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

    /// The pixels of one of the lines that the last call made.
    func row(_ index: Int) -> UnsafePointer<UInt8> {
        UnsafePointer(converter.isNeeded ? pixels[index] : unfilter.line(index))
    }

    /// The filter type and the upper byte of each sample.
    private func cut(_ scanline: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>) {
        target[0] = scanline[0]
        let (source, target) = (scanline + 1, target + 1)
        let count = (byteCount - 1) / 2
        for index in 0..<count { target[index] = source[2 &* index] }
    }
}
