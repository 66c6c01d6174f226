import ThumbwheelCore
import ThumbwheelFormats

/// Which of a file's previews can serve, in the order in which they are tried.
///
/// Sizes are those that the container tells, where it tells: what a preview really is shows once it is read. At most two
/// are read, and at most 1 MiB in all.
struct PreviewSearch {
    static let attemptLimit = 2
    static let byteLimit = 1 << 20
    /// The usual preview is 160×120 by convention (Design rule for Camera File system).
    private static let usualPixelCount = 160 * 120
    /// Up to here a preview is cheap: a degraded image must come many times sooner than the final one.
    static let cheapByteCount = 64 << 10

    let head: ImageHead
    /// The geometry of the requested rendition, in the photograph itself.
    let geometry: RenditionGeometry

    /// Pixels wanted per pixel of the photograph.
    var neededScale: Double {
        max(
            Double(geometry.outputSize.width) / geometry.sourceBox.width,
            Double(geometry.outputSize.height) / geometry.sourceBox.height)
    }

    /// Pixels of a picture of the given size per pixel of the photograph; between black bars, where aspects differ.
    func scale(of size: PixelSize) -> Double {
        min(
            Double(size.width) / Double(head.storedSize.width), Double(size.height) / Double(head.storedSize.height))
    }

    /// Whether a picture of the given size has the pixels that are asked for.
    func isCovered(by width: Double, _ height: Double) -> Bool {
        min(width / Double(head.storedSize.width), height / Double(head.storedSize.height))
            >= neededScale * (1 - 1e-9)
    }

    /// The smallest scale, in eighths, at which a preview of the given size covers the target with a small margin:
    /// without it, resampling would show the decode's own errors.
    ///
    /// - Parameter natural: the scales that the preview's decoder offers, in increasing order.
    func sufficientEighths(of size: PixelSize, natural: [Int]) -> Int {
        let scale = scale(of: size)
        return natural.first { scale * Double($0) / 8 >= neededScale * 1.05 } ?? 8
    }

    /// The scale of a degraded image, in eighths. It may be small: a reduced decode of a large preview comes much
    /// sooner, and is no smaller than the usual preview.
    static func eighthsForDegraded(of size: PixelSize, natural: [Int]) -> Int {
        natural.first { $0 >= 3 && $0 <= 4 && size.scaled(toEighths: $0, .up).pixelCount >= usualPixelCount } ?? 8
    }

    /// Those that cover what is asked for, the cheapest first.
    var covering: [EmbeddedPreview] {
        limited(head.previews.filter { scale(of: Self.presumedSize(of: $0)) >= neededScale * (1 - 1e-9) })
    }

    /// For a degraded image: the smallest of the cheap ones that covers what is asked for, else the largest of them.
    var degraded: [EmbeddedPreview] {
        let cheap = head.previews.filter { $0.byteCount <= Self.cheapByteCount }
        let serving = cheap.filter { scale(of: Self.presumedSize(of: $0)) >= neededScale }
        let rest = cheap.reversed().filter { !serving.contains($0) }
        return limited(serving + rest + head.previews.filter { $0.byteCount > Self.cheapByteCount })
    }

    /// An upper bound of the size of a degraded image's decode, as far as the head tells.
    func degradedSize(of preview: EmbeddedPreview) -> PixelSize {
        let size = Self.presumedSize(of: preview)
        return size.scaled(
            toEighths: Self.eighthsForDegraded(of: size, natural: Self.naturalEighths(of: preview)), .up)
    }

    /// The size of a final image's decode, as far as the head tells.
    func coveringSize(of preview: EmbeddedPreview) -> PixelSize {
        let size = Self.presumedSize(of: preview)
        return size.scaled(toEighths: sufficientEighths(of: size, natural: Self.naturalEighths(of: preview)), .up)
    }

    private static func naturalEighths(of preview: EmbeddedPreview) -> [Int] {
        preview.contentType == .jpeg ? everyEighth : fullEighths
    }

    // Made once, because every request for an image uses them.
    private static let everyEighth = Array(1...8)
    private static let fullEighths = [8]

    /// Previews are 160×120 by convention (Design rule for Camera File system) where nothing else is said.
    static func presumedSize(of preview: EmbeddedPreview) -> PixelSize {
        preview.pixelSize ?? PixelSize(width: 160, height: 120)
    }

    private func limited(_ previews: [EmbeddedPreview]) -> [EmbeddedPreview] {
        var left = Self.byteLimit
        var chosen: [EmbeddedPreview] = []
        var readCount = 0
        for preview in previews {
            // A preview that is no file of its own costs a read for the container as well.
            let reads = preview.container == nil ? 1 : 2
            guard preview.byteCount <= left, readCount + reads <= Self.attemptLimit else { continue }
            left -= preview.byteCount
            readCount += reads
            chosen.append(preview)
        }
        return chosen
    }
}
