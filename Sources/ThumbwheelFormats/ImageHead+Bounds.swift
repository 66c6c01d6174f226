import ThumbwheelCore

/// The bounds of what a head can tell. Who reads a file's head stays inside them; a host that tells what it knows of a file,
/// and a saved library, may say anything. Sums and products of what is inside of them do not overflow.
extension ImageHead {
    /// A file of more bytes is none that there is.
    package static let byteCountLimit = 1 << 53

    /// What is beyond the bounds brought to them. Previews that lie outside of any file are left out: there is nothing to
    /// be read where they are said to be.
    package var bounded: ImageHead {
        if isBounded { return self }
        var head = self
        head.storedSize = storedSize.bounded
        head.previews = previews.filter(\.isInFile).map(\.bounded)
        head.profile?.byteCount = Self.bounded(profile?.byteCount ?? 0, to: Self.byteCountLimit)
        head.jpeg = jpeg?.bounded
        head.heif?.tileSize = heif?.tileSize?.bounded
        head.bitsPerChannel = Self.bounded(bitsPerChannel, to: 64)
        head.frameCount = Self.bounded(frameCount, to: Int(Int32.max))
        return head
    }

    /// Whether all is inside already, as of every head that was read from its file.
    private var isBounded: Bool {
        storedSize == storedSize.bounded && 0...64 ~= bitsPerChannel && 0...Int(Int32.max) ~= frameCount
            && heif?.tileSize == heif?.tileSize?.bounded && previews.allSatisfy { $0.isInFile && $0.bounded == $0 }
            && (jpeg?.isBounded ?? true)
            && 0...Self.byteCountLimit ~= profile?.byteCount ?? 0
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
    /// Without a copy: every asset that is added is asked.
    fileprivate var isBounded: Bool {
        0...Int(UInt16.max) ~= restartInterval
            && samplingFactors.allSatisfy { 0...15 ~= $0.horizontal && 0...15 ~= $0.vertical }
    }

    fileprivate var bounded: JPEGCoding {
        var coding = self
        coding.restartInterval = ImageHead.bounded(restartInterval, to: Int(UInt16.max))
        // A frame header has four bits for each.
        coding.samplingFactors = samplingFactors.map { factor in
            SamplingFactor(
                horizontal: ImageHead.bounded(factor.horizontal, to: 15),
                vertical: ImageHead.bounded(factor.vertical, to: 15))
        }
        return coding
    }
}
