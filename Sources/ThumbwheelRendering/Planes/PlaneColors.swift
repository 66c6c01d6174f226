/// The kind of values in an image's planes. An image has one plane for each colour component.
enum PlaneColors: Sendable {
    /// Red, green and blue, or grey alone.
    case direct
    /// Luma and chroma (Y, Cb and Cr); or luma alone, which is grey.
    case luma(LumaMatrix)

    /// The matrix that turns three planes into colours; nil if the planes are colours already.
    var matrix: LumaMatrix? {
        if case .luma(let matrix) = self { matrix } else { nil }
    }
}
