import Testing
import ThumbwheelCore

@testable import ThumbwheelRendering

/// Pixels that a decoder hands over.
struct DecodedRows {
    var size = PixelSize(width: 0, height: 0)
    var channels = 0
    var samples: [UInt8] = []
    var count = 0
    var error: RenderError?

    init(_ decode: any RowDecoder, rows: Range<Int>? = nil) {
        size = decode.size
        channels = decode.channels
        var samples: [UInt8] = []
        let width = size.width * channels
        (count, error) = decode.forEachRow(in: rows ?? 0..<size.height) {
            samples.append(contentsOf: UnsafeBufferPointer(start: $0, count: width))
        }
        self.samples = samples
    }

    /// The same pixels with their grey as red, green and blue.
    var colored: DecodedRows {
        guard channels < 3 else { return self }
        var rows = self
        rows.channels = channels + 2
        rows.samples = stride(from: 0, to: samples.count, by: channels).flatMap { start in
            Array(repeating: samples[start], count: 3) + samples[start + 1..<start + channels]
        }
        return rows
    }
}

extension PNGDecode {
    convenience init(
        _ bytes: [UInt8], limits: RenderLimits = RenderLimits(), cancellation: CancellationToken? = nil
    ) throws(RenderError) {
        try self.init(
            MemoryByteSource(bytes), usesCalibration: true, limits: limits,
            guardian: DecodeGuard(cancellation: cancellation, duration: .seconds(3600)))
    }
}

extension VipsDecode {
    /// libpng's word on a file.
    convenience init(png bytes: [UInt8]) throws(RenderError) {
        try self.init(
            MemoryByteSource(bytes), loader: VipsLoader(operation: "pngload_source"), eighths: 8, tolerance: .none,
            convertsProfile: false, guardian: DecodeGuard(cancellation: nil, duration: .seconds(3600)))
    }
}
