import ThumbwheelCore
import ThumbwheelFormats

/// Finds the previews of a file that can be used for a request, and the order in which they are tried.
///
/// The sizes of previews are taken from the file's head. The true size of a preview is known only when it is read. At
/// most two ranges of the file are read, and at most 1 MiB in all.
struct PreviewSearch {
    static let attemptLimit = 2
    static let byteLimit = 1 << 20
    /// The number of pixels of a typical preview, which is 160×120 by convention (Design rule for Camera File system).
    private static let typicalPixelCount = 160 * 120
    /// The largest number of bytes of a cheap preview. It is small, because a degraded image must come many times
    /// sooner than the final image.
    static let cheapByteCount = 64 << 10

    let head: ImageHead
    /// The geometry of the requested rendition, computed as if the rendition were made from the photograph.
    let geometry: RenditionGeometry

    /// The number of output pixels that the request needs for each pixel of the photograph, in each direction.
    var neededScale: Double {
        max(
            Double(geometry.outputSize.width) / geometry.sourceBox.width,
            Double(geometry.outputSize.height) / geometry.sourceBox.height)
    }

    /// The scale at which a preview of the given size shows the photograph; 1 is the photograph's own size. If their
    /// aspect ratios differ, the preview is assumed to have black bars, and the scale is that of the picture between
    /// them.
    func scale(of size: PixelSize) -> Double {
        min(
            Double(size.width) / Double(head.storedSize.width), Double(size.height) / Double(head.storedSize.height))
    }

    /// Whether a picture of the given width and height has enough pixels for the request.
    func isCovered(by width: Double, _ height: Double) -> Bool {
        min(width / Double(head.storedSize.width), height / Double(head.storedSize.height))
            >= neededScale * (1 - 1e-9)
    }

    /// The smallest scale, in eighths of full size, at which a preview of the given size has 5 % more pixels per side
    /// than the target needs. Without this margin, resampling would show the errors of the decode.
    ///
    /// - Parameter natural: the scales that the preview's decoder offers, in increasing order.
    /// - Returns: 8 (full size) if no scale suffices.
    func sufficientEighths(of size: PixelSize, natural: [Int]) -> Int {
        let scale = scale(of: size)
        return natural.first { scale * Double($0) / 8 >= neededScale * 1.05 } ?? 8
    }

    /// The scale at which a preview is decoded for a degraded image (the quick first image of a request), in eighths of
    /// full size. A reduced decode takes much less time than a full one. The scale is 3 if the decoder offers it and
    /// the decoded preview then has at least 160 × 120 pixels, the size of previews by convention. Otherwise it is 4 on
    /// the same conditions, and otherwise 8.
    ///
    /// - Parameter natural: the scales that the preview's decoder offers, in increasing order.
    static func eighthsForDegraded(of size: PixelSize, natural: [Int]) -> Int {
        natural.first { $0 >= 3 && $0 <= 4 && size.scaled(toEighths: $0, .up).pixelCount >= typicalPixelCount } ?? 8
    }

    /// The previews that have enough pixels for a final image, the one with the fewest bytes first. A final image is
    /// one that no better image replaces.
    var covering: [EmbeddedPreview] {
        limited(head.previews.filter { scale(of: Self.presumedSize(of: $0)) >= neededScale * (1 - 1e-9) })
    }

    /// The previews for a degraded image (the quick first image of a request), in the order in which they are tried:
    /// - the cheap previews (of at most `cheapByteCount` bytes) that have enough pixels for the target, the smallest
    ///   first
    /// - the other cheap previews, the largest first
    /// - the previews that are not cheap
    var degraded: [EmbeddedPreview] {
        // A single preview needs no sorting. This matters, because every request runs this code, and most files have
        // one preview.
        guard head.previews.count > 1 else { return limited(head.previews) }
        let cheap = head.previews.filter { $0.byteCount <= Self.cheapByteCount }
        let serving = cheap.filter { scale(of: Self.presumedSize(of: $0)) >= neededScale }
        let rest = cheap.reversed().filter { !serving.contains($0) }
        return limited(serving + rest + head.previews.filter { $0.byteCount > Self.cheapByteCount })
    }

    /// The size of a preview when it is decoded for a degraded image (the quick first image of a request), predicted
    /// from the file's head.
    func degradedSize(of preview: EmbeddedPreview) -> PixelSize {
        let size = Self.presumedSize(of: preview)
        return size.scaled(
            toEighths: Self.eighthsForDegraded(of: size, natural: Self.naturalEighths(of: preview)), .up)
    }

    /// The size of a preview when it is decoded for a final image (one that no better image replaces), predicted from
    /// the file's head.
    func coveringSize(of preview: EmbeddedPreview) -> PixelSize {
        let size = Self.presumedSize(of: preview)
        return size.scaled(toEighths: sufficientEighths(of: size, natural: Self.naturalEighths(of: preview)), .up)
    }

    private static func naturalEighths(of preview: EmbeddedPreview) -> [Int] {
        preview.contentType == .jpeg ? everyEighth : fullEighths
    }

    // These lists of scales are made only once, because every request for an image uses them.
    private static let everyEighth = Array(1...8)
    private static let fullEighths = [8]

    /// The size of a preview as the file's head states it. If the head states no size, the size is taken to be 160×120,
    /// by convention (Design rule for Camera File system).
    static func presumedSize(of preview: EmbeddedPreview) -> PixelSize {
        preview.pixelSize ?? PixelSize(width: 160, height: 120)
    }

    private func limited(_ previews: [EmbeddedPreview]) -> [EmbeddedPreview] {
        var left = Self.byteLimit
        var chosen: [EmbeddedPreview] = []
        var readCount = 0
        for preview in previews {
            // A preview with a `container` needs two reads: one for the container, which is the part of the file that
            // describes the preview, and one for the preview itself. A preview that is a complete file needs one read.
            let reads = preview.container == nil ? 1 : 2
            guard preview.byteCount <= left, readCount + reads <= Self.attemptLimit else { continue }
            left -= preview.byteCount
            readCount += reads
            chosen.append(preview)
        }
        return chosen
    }
}
