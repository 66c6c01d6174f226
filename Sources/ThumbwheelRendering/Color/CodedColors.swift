import ThumbwheelFormats

/// A colour space that this library can convert, given by code points (ITU-T H.273) or by equivalent numbers, such as
/// those in a PNG's `gAMA` and `cHRM` chunks.
///
/// Decoders have already converted luma and chroma, if a file has them, to RGB samples. The primaries and the transfer
/// curve of these samples are still those of the file, and this type converts them to those of sRGB.
struct CodedColors: Equatable {
    let space: RGBPrimaries
    let transfer: CodedTransfer
    /// Whether the samples are RGB in video range, which has black at 16 and white at 235 of 255.
    let isVideoRange: Bool

    /// Makes the colour space that a file's code points name.
    ///
    /// - Parameter isVideoRangePossible: true if the decoder leaves samples in the range that the file uses, full range
    ///   or video range; false if it converts all samples to full range.
    /// - Returns: nil if the standard does not define one of the codes.
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

    /// The linear light for each of the 256 values of a sample.
    var light: [Double] {
        (0..<256).map { level in
            let sample = isVideoRange ? (Double(level) - 16) / 219 : Double(level) / 255
            return transfer.light(max(0, min(1, sample)))
        }
    }

    /// The bitmap converted to sRGB; alpha is unchanged.
    func convertedToSRGB(_ bitmap: Bitmap, checking guardian: DecodeGuard) throws(RenderError) -> Bitmap {
        if transfer.isHighDynamicRange {
            return try HighDynamicRange(self)?.applied(to: bitmap, checking: guardian) ?? bitmap
        }
        return ColorTransform(light: light, toXYZ: space.toXYZUnderD50)?.applied(to: bitmap) ?? bitmap
    }
}
