import ThumbwheelCore
import ThumbwheelFormats

/// The codec of videos. This library chooses a key frame and makes the image of it. The frame itself is decoded by a
/// decoder that is installed by the program that uses this library. Without an installed decoder, no video is decoded.
struct VideoCodec: Codec {
    let contentTypes: [ContentType] = [
        .mp4, .quickTime, .threeGPP, .webM, .matroska, .avi, .mpeg, .mpegTransportStream,
    ]
    let colorPrecedence = ColorPrecedence.profileFirst
    let readsWholeProfile = false

    /// The number of bytes that a decode is expected to read from a video: the index and some key frames.
    private static let expectedReadByteCount = 4 << 20

    func decoders(for head: ImageHead) -> [RenderedImage.Decoder] {
        VideoDecoders.isInstalled ? Self.installed : Self.none
    }

    func eighths(of decoder: RenderedImage.Decoder) -> [Int] { Self.fullSize }

    // The arrays are made once, because every request for a video uses them.
    private static let installed = [RenderedImage.Decoder.libavcodec]
    private static let none: [RenderedImage.Decoder] = []
    private static let fullSize = [8]

    /// Always false, because the call that decodes a single frame cannot be stopped. For a large frame, this call takes
    /// tens of milliseconds. Outside this call a decode can be stopped: while the video is read, between two frames,
    /// and between two bands of rows. A pipeline abandons a cancelled decode: its worker goes on on another thread, and
    /// the call ends on its own, unless as many decodes are abandoned already as there are workers.
    func isStoppable(_ decoder: RenderedImage.Decoder, for head: ImageHead, byteCount: Int?) -> Bool { false }

    func repeatsDamagedDecode(_ decoder: RenderedImage.Decoder) -> Bool { false }

    func speed(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, quality: RenderQuality
    ) -> DecodeSpeed {
        DecodeSpeed(codedBytes: 4_000_000, storedPixels: 150_000, decodedPixels: 3_000_000)
    }

    /// The memory that a decode needs: for one frame, for the decoder's tables, and for the index of the file. A frame
    /// of 10 bits takes twice the memory of a frame of 8 bits. The headers of most formats do not state the number of
    /// bits, so `DecoderMemory.maximum` is enough for 10 bits. It is also enough for a frame that is decoded from
    /// others, of which a decoder holds up to sixteen. The index counts there with the least that the rounded number of
    /// its entries stands for, because no video is refused for the rounding. A decode checks its true size.
    func memory(
        of decoder: RenderedImage.Decoder, for head: ImageHead, eighths: Int, byteCount: Int
    ) -> DecoderMemory {
        let pixels = head.storedPixelCount
        let (tables, index) = (8_388_608.0, Double(head.indexCount) * Double(VideoDecoders.bytesPerIndexEntry))
        return DecoderMemory(
            typical: pixels * 5 + tables + index, maximum: pixels * 24 + tables + index * 8 / 9)
    }

    func fitsMinimumLimit(_ bytes: any ByteSource) -> Bool { false }

    func announcesWholePicture(_ bytes: any ByteSource, head: ImageHead, checking guardian: DecodeGuard) -> Bool {
        true
    }

    func isReadByRanges(_ head: ImageHead, quality: RenderQuality) -> Bool { true }

    /// Reads the index and the key frame from `input.bytes`. Returns an empty list, because nothing else has to be
    /// read.
    func neededRanges(_ input: DecoderInput) throws(RenderError) -> [Range<Int>]? {
        let reading = try VideoReading(input.bytes, limits: input.limits, guardian: input.guardian)
        try reading.readFrame(at: input.frameTime, readsAlternatives: input.readsAlternatives)
        return []
    }

    func open(_ input: DecoderInput) throws(RenderError) -> (any RowDecoder)? {
        let reading =
            if let video = input.video { video } else {
                try VideoReading(input.bytes, limits: input.limits, guardian: input.guardian)
            }
        let frame = try reading.frame(at: input.frameTime, isFiltered: !input.hidesBlockEdges)
        return try VideoRows(
            frame, of: reading, displaySize: input.head.displaySize, reduction: input.reduction,
            guardian: input.guardian)
    }

    /// The number of bytes that a decode is expected to read from a video file of `byteCount` bytes.
    static func readByteCount(ofFile byteCount: Int) -> Int { min(byteCount, expectedReadByteCount) }
}
