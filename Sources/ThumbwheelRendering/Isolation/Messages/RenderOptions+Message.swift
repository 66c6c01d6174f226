import ThumbwheelCore

extension RenderOptions {
    func write(to writer: inout MessageWriter) {
        writer.write(targetSize.width)
        writer.write(targetSize.height)
        writer.write(UInt8(contentMode == .aspectFit ? 0 : 1))
        writer.write(UInt8(ResizeMode.allCases.firstIndex(of: resizeMode)!))
        writer.write(UInt8(RenderQuality.allCases.firstIndex(of: quality)!))
        writer.write(normalizedCropRect != nil)
        if let crop = normalizedCropRect {
            for side in [crop.x, crop.y, crop.width, crop.height] { writer.write(side) }
        }
        writer.write(UInt8(Sampling.allCases.firstIndex(of: sampling)!))
        writer.write(isLinear)
        writer.write(pixelRange == .extended)
        writer.write(allowsUpscaling)
        writer.write(usesEmbeddedPreviews)
        writer.write(frameTime != nil)
        if let frameTime { writer.write(frameTime) }
    }

    init(from reader: inout MessageReader) throws(MessageError) {
        let size = PixelSize(width: try reader.number(), height: try reader.number())
        self.init(targetSize: size)
        contentMode = try reader.value(of: ContentMode.self)
        resizeMode = try reader.value(of: ResizeMode.self)
        quality = try reader.value(of: RenderQuality.self)
        if try reader.flag() {
            normalizedCropRect = NormalizedRect(
                x: try reader.fraction(), y: try reader.fraction(), width: try reader.fraction(),
                height: try reader.fraction())
        }
        sampling = try reader.value(of: Sampling.self)
        isLinear = try reader.flag()
        pixelRange = try reader.flag() ? .extended : .standard
        allowsUpscaling = try reader.flag()
        usesEmbeddedPreviews = try reader.flag()
        if try reader.flag() { frameTime = try reader.fraction() }
    }
}

extension RenderLimits {
    func write(to writer: inout MessageWriter) {
        for limit in [pixelCount, byteCount, frameCount, memoryByteCount] { writer.write(limit) }
        let components = min(max(duration, .zero), Self.longestDuration).components
        writer.write(Int(components.seconds))
        writer.write(Int(components.attoseconds))
    }

    init(from reader: inout MessageReader) throws(MessageError) {
        self.init(
            pixelCount: try reader.number(), byteCount: try reader.number(), frameCount: try reader.number(),
            memoryByteCount: try reader.number())
        duration = Duration(
            secondsComponent: Int64(try reader.number(in: 0...1_000_000_000)),
            attosecondsComponent: Int64(try reader.number(in: 0...999_999_999_999_999_999)))
    }

    /// The longest time limit that is written into a message: about thirty years. A longer limit is replaced by this
    /// one, which makes no difference.
    private static let longestDuration = Duration.seconds(1_000_000_000)
}
