import ThumbwheelCore
import ThumbwheelFormats

/// The meaning of a decoded picture's planes: their colours, their range and their order.
struct PictureColors {
    let colors: PlaneColors
    let isFullRange: Bool
    /// The indices of the decoder's planes, in the order in which the planes are passed on to the consumer.
    let order: [Int]

    /// - Parameters:
    ///   - coded: the code points of the item, which take precedence over the code points in the coded data.
    /// - Returns: nil if this library does not support the colour matrix, or if planes of green, blue and red are
    ///   subsampled.
    init?(_ picture: DecodedPicture, coded: CodingIndependentColor?) {
        isFullRange = coded?.isFullRange ?? picture.isFullRange
        guard picture.planes.count == 3 else {
            (colors, order) = (.direct, [0])
            return
        }
        if let matrix = LumaMatrix(code: coded?.matrix ?? picture.matrix) {
            (colors, order) = (.luma(matrix), [0, 1, 2])
        } else if coded?.matrix ?? picture.matrix == 0, picture.subsampling.pixelCount == 1 {
            // The coded planes are green, blue and red.
            (colors, order) = (.direct, [2, 0, 1])
        } else {
            return nil
        }
    }

    /// The range of the samples in one of the decoder's planes.
    func range(ofPlane plane: Int, bitsPerSample: Int) -> SampleRange {
        var isChroma = false
        if case .luma = colors { isChroma = plane > 0 }
        return SampleRange(bitsPerSample: bitsPerSample, isFullRange: isFullRange, isChroma: isChroma)
    }
}

extension LumaMatrix {
    /// Finds the matrix for a code point (ITU-T H.273, 8.3). Code 2 (unspecified) is taken as BT.601, as in JFIF.
    fileprivate init?(code: UInt16) {
        switch code {
        case 1: self = .bt709
        case 2, 4, 5, 6: self = .bt601
        case 7: self = .smpte240
        case 9: self = .bt2020
        default: return nil
        }
    }
}
