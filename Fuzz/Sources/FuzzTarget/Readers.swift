import Thumbwheel
@_spi(Fuzzing) import ThumbwheelRendering

/// What bytes from the fuzzer are given to, by the name in THUMBWHEEL_FUZZ_TARGET.
enum Reader: String, CaseIterable {
    /// Heads of JPEG and TIFF files: EXIF blocks, multi-picture indexes, directories of RAW files.
    case exif
    /// Heads of HEIF and AVIF files.
    case heif
    /// Heads of all other types.
    case heads
    /// This library's JPEG decoder, at several scales.
    case jpeg
    /// The reader of Windows and OS/2 bitmaps.
    case bmp
    /// The decoder of PNG.
    case png
    /// The decoders of WebP.
    case webp
    /// The decoder of TIFF.
    case tiff
    /// The decoder of GIF.
    case gif
    /// The reading of items, and the decoders of the pictures in HEIC and AVIF files.
    case heic
    /// Saved libraries, whose checksums are right.
    case library
    /// Heads of videos.
    case video
    /// What a host and its decoder processes say to each other, from both sides.
    case isolation
    /// Requests to the handler of the service.
    case service

    private static let limits = RenderLimits(pixelCount: 1 << 22, byteCount: 1 << 20, duration: .seconds(5))

    func read(_ bytes: [UInt8]) {
        if self == .library { return LibraryReader.read(bytes) }
        if self == .video { return VideoReader.read(bytes) }
        if self == .isolation { return FuzzedDialogue.play(bytes) }
        if self == .service { return ServiceReader.read(bytes) }
        let source = MemoryByteSource(bytes)
        guard let head = try? ImageHead(reading: source) else { return }
        precondition(!head.storedSize.isEmpty, "a head without a size")
        precondition(
            head.previews.allSatisfy { $0.byteRange.lowerBound >= 0 && $0.byteRange.upperBound <= bytes.count },
            "a preview outside its file")
        switch self {
        case .exif, .heif, .heads, .library, .video, .isolation, .service:
            break
        case .jpeg:
            guard head.contentType == .jpeg else { return }
            render(source, head, [8, 100, 2000])
        case .bmp:
            guard head.contentType == .bmp else { return }
            render(source, head, [16])
        case .png:
            guard head.contentType == .png else { return }
            render(source, head, [16, 2000])
        case .webp:
            guard head.contentType == .webp else { return }
            render(source, head, [16, 2000])
        case .tiff:
            guard head.contentType == .tiff else { return }
            render(source, head, [16, 2000])
        case .gif:
            guard head.contentType == .gif else { return }
            render(source, head, [16, 2000])
        case .heic:
            guard head.contentType == .heic || head.contentType == .avif else { return }
            render(source, head, [16, 2000])
        }
    }

    private func render(_ source: MemoryByteSource, _ head: ImageHead, _ sides: [Int]) {
        // What another decoder would be asked for is none of this fuzzer's business.
        guard let plan = try? RenderPlan(head: head, options: RenderOptions(targetSize: .maximum)),
            plan.decoder != .vips
        else { return }
        for side in sides {
            for quality in [RenderQuality.fast, .high] {
                let options = RenderOptions(targetSize: PixelSize(width: side, height: side), quality: quality) {
                    $0.usesEmbeddedPreviews = false
                }
                _ = try? Renderer().render(source, head: head, options: options, limits: Self.limits)
            }
        }
    }
}
