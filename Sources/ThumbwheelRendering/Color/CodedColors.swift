import ThumbwheelFormats

/// Colours given by code points, or by numbers that mean the like, that this library can convert.
///
/// libheif has already undone luma, chroma and their range when samples arrive; it leaves primaries and transfer as
/// they are.
struct CodedColors: Equatable {
    let space: RGBPrimaries
    let transfer: CodedTransfer
    /// Whether samples are RGB in video range: black at 16 and white at 235 of 255.
    let isVideoRange: Bool

    /// - Parameter isVideoRangePossible: whether the decoder hands samples over in the file's own range.
    /// - Returns: nil for codes without a meaning.
    init?(_ color: CodingIndependentColor, isVideoRangePossible: Bool) {
        guard let space = RGBPrimaries(code: color.primaries), let transfer = CodedTransfer(code: color.transfer) else {
            return nil
        }
        self.space = space
        self.transfer = transfer
        isVideoRange = isVideoRangePossible && !color.isFullRange
    }

    init(space: RGBPrimaries, transfer: CodedTransfer) {
        self.space = space
        self.transfer = transfer
        isVideoRange = false
    }

    var isSRGB: Bool { space == .sRGB && transfer == .sRGB && !isVideoRange }

    /// The light of each of the 256 levels of a sample.
    var light: [Double] {
        (0..<256).map { level in
            let sample = isVideoRange ? (Double(level) - 16) / 219 : Double(level) / 255
            return transfer.light(max(0, min(1, sample)))
        }
    }

    /// The bitmap's pixels in sRGB; alpha is unchanged.
    func convertedToSRGB(_ bitmap: Bitmap, checking guardian: DecodeGuard) throws(RenderError) -> Bitmap {
        if transfer.isHighDynamicRange {
            return try HighDynamicRange(self)?.applied(to: bitmap, checking: guardian) ?? bitmap
        }
        return ColorTransform(light: light, toXYZ: space.toXYZUnderD50)?.applied(to: bitmap) ?? bitmap
    }
}
