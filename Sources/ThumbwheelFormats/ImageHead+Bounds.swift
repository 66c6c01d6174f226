import ThumbwheelCore

/// Limits for the numbers in an `ImageHead`. Values that were read from files are always within the limits; values from
/// hosts and saved libraries need not be. Sums and products of numbers within the limits do not overflow.
extension ImageHead {
    /// The upper bound of a file's length in bytes, which no real file exceeds.
    package static let byteCountLimit = 1 << 53

    /// The upper bound of the number of entries of a video's index. No memory limit allows as many.
    package static let indexCountLimit = 1 << 40

    /// This value with all numbers brought within the limits, and without previews whose ranges cannot be in any file.
    package var bounded: ImageHead {
        if isBounded { return self }
        var head = self
        head.storedSize = storedSize.bounded
        head.previews = previews.filter(\.isInFile).map(\.bounded)
        head.profile?.byteCount = Self.bounded(profile?.byteCount ?? 0, to: Self.byteCountLimit)
        head.jpeg = jpeg?.bounded
        head.heif?.tileSize = heif?.tileSize?.bounded
        head.heif?.uncroppedSize = heif?.uncroppedSize?.bounded
        head.tiff?.rowsPerBlock = tiff?.rowsPerBlock.map { Self.bounded($0, to: Int(Int32.max)) }
        head.bitsPerChannel = Self.bounded(bitsPerChannel, to: 64)
        head.frameCount = Self.bounded(frameCount, to: Int(Int32.max))
        head.indexCount = Self.bounded(indexCount, to: Self.indexCountLimit)
        return head
    }

    /// Whether all numbers are within the limits. They always are if the value was read from a file.
    private var isBounded: Bool {
        storedSize == storedSize.bounded && 0...64 ~= bitsPerChannel && 0...Int(Int32.max) ~= frameCount
            && heif?.tileSize == heif?.tileSize?.bounded && heif?.uncroppedSize == heif?.uncroppedSize?.bounded
            && 0...Int(Int32.max) ~= tiff?.rowsPerBlock ?? 0 && previews.allSatisfy { $0.isInFile && $0.bounded == $0 }
            && (jpeg?.isBounded ?? true)
            && 0...Self.byteCountLimit ~= profile?.byteCount ?? 0 && 0...Self.indexCountLimit ~= indexCount
    }

    package static func bounded(_ number: Int, to limit: Int) -> Int { min(max(number, 0), limit) }
}

extension PixelSize {
    fileprivate var bounded: PixelSize {
        PixelSize(
            width: ImageHead.bounded(width, to: Int(Int32.max)), height: ImageHead.bounded(height, to: Int(Int32.max)))
    }
}

extension EmbeddedPreview {
    fileprivate var isInFile: Bool { Self.isInFile(byteRange) && (container.map(Self.isInFile) ?? true) }

    private static func isInFile(_ range: Range<Int>) -> Bool {
        range.lowerBound >= 0 && range.upperBound <= ImageHead.byteCountLimit
    }

    fileprivate var bounded: EmbeddedPreview {
        var preview = self
        preview.pixelSize = pixelSize?.bounded
        return preview
    }
}

extension JPEGCoding {
    /// Whether all numbers are within the limits. The check makes no copy, because it runs for every asset that is
    /// added.
    fileprivate var isBounded: Bool {
        0...Int(UInt16.max) ~= restartInterval
            && samplingFactors.allSatisfy { 0...15 ~= $0.horizontal && 0...15 ~= $0.vertical }
    }

    fileprivate var bounded: JPEGCoding {
        var coding = self
        coding.restartInterval = ImageHead.bounded(restartInterval, to: Int(UInt16.max))
        // A frame header has four bits for each factor.
        coding.samplingFactors = samplingFactors.map { factor in
            SamplingFactor(
                horizontal: ImageHead.bounded(factor.horizontal, to: 15),
                vertical: ImageHead.bounded(factor.vertical, to: 15))
        }
        return coding
    }
}
