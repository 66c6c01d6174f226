import ThumbwheelCore
import ThumbwheelFormats

/// The meaning of a decoded picture's planes.
struct PictureColors {
    let colors: PlaneColors
    let isFullRange: Bool
    /// The decoder's planes in the order in which they are handed on.
    let order: [Int]

    /// - Parameters:
    ///   - coded: the code points of the item, which count before those in the coded data.
    /// - Returns: nil for matrices that no linear step undoes, and for chroma without a matrix.
    init?(_ picture: DecodedPicture, coded: CodingIndependentColor?) {
        isFullRange = coded?.isFullRange ?? picture.isFullRange
        guard picture.planes.count == 3 else {
            (colors, order) = (.direct, [0])
            return
        }
        if let matrix = LumaMatrix(code: coded?.matrix ?? picture.matrix) {
            (colors, order) = (.luma(matrix), [0, 1, 2])
        } else if coded?.matrix ?? picture.matrix == 0, picture.subsampling.pixelCount == 1 {
            // Green, blue and red.
            (colors, order) = (.direct, [2, 0, 1])
        } else {
            return nil
        }
    }
}

extension LumaMatrix {
    /// The matrix of a code point (ITU-T H.273, 8.3). Where nothing is specified, it is BT.601's, as in JFIF.
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
