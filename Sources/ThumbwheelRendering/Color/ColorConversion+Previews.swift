import ThumbwheelCore
import ThumbwheelFormats

extension ColorConversion {
    /// Whether the photograph's samples are something else than sRGB: a preview that says nothing of its own colours may be in
    /// the photograph's or not, for cameras differ.
    ///
    /// - Parameter source: the photograph's file, of which a JPEG's profile is read to be sure.
    func changesColors(of source: any ByteSource, head: ImageHead) throws(RenderError) -> Bool {
        switch self {
        case .none: return false
        case .coded, .adobeRGB, .stream: return true
        case .output:
            guard head.contentType == .jpeg else { return head.isLikelyConverted }
            guard let profile = try JPEGHeader(JPEGInput(source), keepsProfile: true)?.profile else { return true }
            return ColorTransformCache.shared.transform(for: profile)?.isSRGB != true
        }
    }

    /// What a thumbnail item of a HEIF file is converted by, where it has no profile of its own: its picture's code points.
    var codedColors: CodedColors? {
        if case .coded(let colors) = self { colors } else { nil }
    }
}
