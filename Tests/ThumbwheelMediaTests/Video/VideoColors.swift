import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

/// The colours that a video's frames should have.
enum VideoColors {
    /// Maps samples of the primaries of BT.2020 to sRGB, by the steps that photographs take.
    static func mapped(_ samples: Bitmap, transfer: UInt16) throws -> [UInt8] {
        let coded = CodingIndependentColor(primaries: 9, transfer: transfer, matrix: 0, isFullRange: true)
        guard let colors = CodedColors(coded, isVideoRangePossible: false) else { return [] }
        let guardian = DecodeGuard(cancellation: nil, duration: .seconds(3600))
        return try colors.convertedToSRGB(samples, checking: guardian).withUnsafeBytes { Array($0) }
    }
}
