import ThumbwheelCore
import ThumbwheelFormats

/// The codec of videos. The decoder that the host has installed decodes a key frame; this library chooses the frame and
/// makes the image of it. Without an installed decoder, no video is decoded.
struct VideoCodec: Codec {
    let contentTypes: [ContentType] = [
        .mp4, .quickTime, .threeGPP, .webM, .matroska, .avi, .mpeg, .mpegTransportStream,
    ]
    let colorRules = ColorRules.profileFirst
    let readsWholeProfile = false

    /// The number of bytes that are predicted to be read of a video: its index and some key frames.
    private static let usualByteCount = 4 << 20
    /// The smallest number of pixels averaged into one, in each direction, at which the decoder does not smooth the
    /// edges of coding blocks. In such a small picture, smoothing makes no visible difference.
    private static let unfilteredReduction = 4

    func decoders(for head: ImageHead) -> [RenderedImage.Decoder] {
        VideoDecoders.isInstalled ? Self.installed : Self.none
    }

    func eighths(of decoder: RenderedImage.Decoder) -> [Int] { Self.fullSize }

    // The arrays are made once, because every request for a video uses them.
    private static let installed = [RenderedImage.Decoder.libavcodec]
    private static let none: [RenderedImage.Decoder] = []
    private static let fullSize = [8]

    /// A decode stops whenever the video is read, between two frames, and between bands of rows. But a single frame is
    /// decoded in one call, which takes tens of milliseconds for a large frame and cannot be stopped.
    func isStoppable(_ decoder: RenderedImage.Decoder, for head: ImageHead) -> Bool { false }

    func repeatsDamagedDecode(_ decoder: RenderedImage.Decoder) -> Bool { false }

    func speed(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, quality: RenderQuality
    ) -> DecodeSpeed {
        DecodeSpeed(codedBytes: 4_000_000, storedPixels: 150_000, decodedPixels: 3_000_000)
    }

    /// The memory for one frame, and for the decoder's tables. Frames of 10 bits, which most formats do not state in
    /// their heads, take twice the memory of others.
    func memory(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, byteCount: Int
    ) -> DecoderMemory {
        let pixels = head.storedPixelCount
        let fixed = 8_388_608.0
        return DecoderMemory(usual: pixels * 5 + fixed, most: pixels * 12 + fixed)
    }

    func takesCertainMemory(_ bytes: any ByteSource) -> Bool { false }

    func announcesWholePicture(_ bytes: any ByteSource, head: ImageHead, checking guardian: DecodeGuard) -> Bool {
        true
    }

    func isReadByRanges(_ head: ImageHead, quality: RenderQuality) -> Bool { true }

    /// Reads the index and the key frames themselves from `input.bytes`, so no ranges are left.
    func neededRanges(_ input: DecoderInput) throws(RenderError) -> [Range<Int>]? {
        let reading = try VideoReading(input.bytes, limits: input.limits, guardian: input.guardian)
        try reading.readFrame(at: input.frameTime)
        return []
    }

    func open(_ input: DecoderInput) throws(RenderError) -> (any RowDecoder)? {
        let reading =
            if let video = input.video { video } else {
                try VideoReading(input.bytes, limits: input.limits, guardian: input.guardian)
            }
        let frame = try reading.frame(
            at: input.frameTime, isFiltered: input.reduction < Self.unfilteredReduction)
        return try VideoRows(
            frame, of: reading, displaySize: input.head.displaySize, reduction: input.reduction,
            guardian: input.guardian)
    }

    /// The number of bytes that are predicted to be read of a video's file.
    static func readByteCount(ofFile byteCount: Int) -> Int { min(byteCount, usualByteCount) }
}
