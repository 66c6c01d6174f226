import ThumbwheelCore

/// A decoded preview, in which the picture may lie between black bars.
///
/// EXIF previews are 160×120 by convention (Design rule for Camera File system): those of photographs with another aspect
/// are often filled up with black.
struct PreviewFrame {
    /// Whole pixels of the frame.
    struct Box: Equatable {
        var left: Int
        var top: Int
        var size: PixelSize
    }

    let pixels: [UInt8]
    let size: PixelSize
    let channels: Int
    /// Whether it was decoded at less than its own scale.
    var isReduced = false

    /// How far a preview's aspect may be from the photograph's.
    private static let tolerance = 0.02
    /// The mean sample up to which a row or column counts as black; coding leaves some noise.
    private static let darkest = 24

    /// Where the picture is, if its aspect (width over height) is the given one; nil where it is another picture, or the
    /// same one cut differently.
    func picture(ofAspect aspect: Double) -> Box? {
        let own = Double(size.width) / Double(size.height)
        if abs(own / aspect - 1) <= Self.tolerance { return Box(left: 0, top: 0, size: size) }
        if own < aspect {
            let bar = (Double(size.height) - Double(size.width) / aspect) / 2
            let rows = Int(bar.rounded(.up))
            let inner = Box(left: 0, top: rows, size: PixelSize(width: size.width, height: size.height - 2 * rows))
            guard inner.size.height > 0 else { return nil }
            let areDark = (0..<darkCount(bar)).allSatisfy { isDark(row: $0) && isDark(row: size.height - 1 - $0) }
            return areDark ? inner : nil
        }
        let bar = (Double(size.width) - Double(size.height) * aspect) / 2
        let columns = Int(bar.rounded(.up))
        let inner = Box(left: columns, top: 0, size: PixelSize(width: size.width - 2 * columns, height: size.height))
        guard inner.size.width > 0 else { return nil }
        let areDark = (0..<darkCount(bar)).allSatisfy { isDark(column: $0) && isDark(column: size.width - 1 - $0) }
        return areDark ? inner : nil
    }

    /// Rows or columns of a bar that must be dark. Cameras make bars of whole pixels: the last of a reduced one may have some of
    /// the picture in it.
    private func darkCount(_ bar: Double) -> Int { isReduced ? max(min(1, Int(bar)), Int(bar - 0.5)) : Int(bar) }

    private func isDark(row: Int) -> Bool {
        let samples = pixels[row * size.width * channels..<(row + 1) * size.width * channels]
        return samples.reduce(0) { $0 + Int($1) } <= Self.darkest * samples.count
    }

    private func isDark(column: Int) -> Bool {
        var sum = 0
        for row in 0..<size.height {
            for channel in 0..<channels { sum += Int(pixels[(row * size.width + column) * channels + channel]) }
        }
        return sum <= Self.darkest * size.height * channels
    }
}
