import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

extension DecoderInput {
    /// All of a picture, or a part of it.
    init(
        tiff source: any ByteSource, minimumScale: Double = 1, region: SourceBox? = nil,
        limits: RenderLimits = RenderLimits(), token: CancellationToken? = nil
    ) throws {
        let head = try ImageHead(reading: source)
        let size = head.displaySize
        self.init(
            bytes: source, head: head, decoder: .tiff, eighths: 8, reduction: 1, minimumScale: minimumScale,
            region: region ?? SourceBox(x: 0, y: 0, width: Double(size.width), height: Double(size.height)),
            tolerance: .none, quality: .high, allowsCoarseChroma: false, conversion: .none, limits: limits,
            guardian: DecodeGuard(cancellation: token, duration: .seconds(3600)))
    }
}

extension TIFFDecode {
    convenience init?(_ input: DecoderInput) throws {
        guard let opening = try TIFFOpening(input) else { return nil }
        try self.init(opening, guardian: input.guardian)
    }
}

extension DecodedRows {
    /// This library's word on a TIFF; nil if it leaves the file to libvips.
    ///
    /// - Parameter asPixels: whether JPEG streams are decoded to pixels, and not to planes that are joined afterwards.
    static func own(
        _ file: [UInt8], minimumScale: Double = 1, limits: RenderLimits = RenderLimits(), asPixels: Bool = false
    ) throws -> DecodedRows? {
        var input = try DecoderInput(tiff: MemoryByteSource(file), minimumScale: minimumScale, limits: limits)
        input.deliversDecode = asPixels
        return try TIFFCodec().open(input).map { DecodedRows($0) }
    }

    /// libtiff's word.
    static func libtiff(_ file: [UInt8]) throws -> DecodedRows {
        let head = try ImageHead(reading: MemoryByteSource(file))
        return DecodedRows(
            try VipsDecode(
                MemoryByteSource(file), loader: .tiff, eighths: 8, tolerance: .none, convertsProfile: false,
                guardian: DecodeGuard(cancellation: nil, duration: .seconds(3600)),
                layout: SampleLayout(#require(head.tiff))))
    }

    /// The largest difference of a sample to another decode's; nil if the two are of different shapes.
    func difference(to other: DecodedRows) -> Int? {
        let (own, other) = (colored, other.colored)
        guard own.size == other.size, own.channels == other.channels, own.samples.count == other.samples.count else {
            return nil
        }
        return zip(own.samples, other.samples).map { abs(Int($0) - Int($1)) }.max()
    }
}
