import ThumbwheelCore
import ThumbwheelFormats

/// A decoded frame of a video, which hands out its planes or its rows of pixels.
final class VideoRows: PlaneDecoder {
    private let picture: DecodedPicture
    private let pictureColors: PictureColors
    private let layout: TileLayout
    /// For each plane, the size of the block of samples that is averaged into one sample.
    private let blocks: [PixelSize]
    private let guardian: DecodeGuard
    // The open video. It is kept for as long as the frame is used, because it owns the decoder, and the decoder owns
    // the frame's memory.
    private let reading: VideoReading

    let size: PixelSize
    let storedSize: PixelSize
    let scales: PlaneScales
    let calibration: CodedColors?
    let orientation: ImageOrientation?
    var colors: PlaneColors { pictureColors.colors }
    var channels: Int { picture.planes.count }
    var exactScale: (horizontal: Double, vertical: Double)? {
        let luma = picture.planes[0].size
        return (
            Double(luma.width) / Double(blocks[0].width * storedSize.width),
            Double(luma.height) / Double(blocks[0].height * storedSize.height)
        )
    }
    var isStretched: Bool { size != storedSize }
    var profile: [UInt8]? { nil }
    var means: BlockMeans? { nil }
    var eighths: Int { 8 }
    var reachedEnd: Bool { false }
    var sideRounding: FloatingPointRoundingRule { .up }
    var name: RenderedImage.Decoder { .libavcodec }

    /// A video with at least this width or at least this height counts as high definition. If such a video states no
    /// colour matrix, the matrix of BT.709 is assumed.
    private static let highDefinition = PixelSize(width: 1280, height: 720)

    /// - Parameter displaySize: the size of the video's images in display orientation, as the file's head states it.
    /// - Throws: `.unsupportedFormat` if this library does not support the colour matrix.
    init(
        _ frame: VideoFrame, of reading: VideoReading, displaySize: PixelSize, reduction: Int, guardian: DecodeGuard
    ) throws(RenderError) {
        let head = reading.head
        let whole = frame.picture.cropped(to: head.visibleRegion, of: head.codedSize)
        let coded = Self.colors(of: frame, in: head)
        picture = frame.fieldOrder.map(whole.field) ?? whole
        let picture = picture
        guard let colors = PictureColors(picture, coded: coded) else { throw .unsupportedFormat }
        pictureColors = colors
        let known = CodedColors(coded, isVideoRangePossible: false)
        calibration = known.flatMap { $0.isSRGB ? nil : $0 }
        orientation = head.orientation
        storedSize = head.orientation.displaySize(of: displaySize)
        layout = TileLayout(picture)
        self.guardian = guardian
        self.reading = reading
        // Computes how many samples are averaged into one, for each axis. `reduction` counts displayed pixels, and the
        // frame may have more or fewer samples along an axis than the displayed image has pixels: a field of an
        // interlaced frame has only half of the rows, and samples need not be square.
        let (luma, stored) = (picture.planes[0].size, storedSize)
        func block(_ side: Int, of storedSide: Int, step: Int) -> Int {
            let wanted = Int(Double(reduction) * Double(side) / Double(storedSide))
            let limit = max(1, min(wanted, SampleReducer.limit, side))
            return limit > step ? limit / step * step : 1
        }
        let step = picture.subsampling
        let reduced = PixelSize(
            width: block(luma.width, of: stored.width, step: step.width),
            height: block(luma.height, of: stored.height, step: step.height))
        blocks = picture.planes.indices.map { index in
            index == 0
                ? reduced
                : PixelSize(
                    width: reduced.width > 1 ? reduced.width / step.width : 1,
                    height: reduced.height > 1 ? reduced.height / step.height : 1)
        }
        let blocks = blocks
        size = Self.reducedSize(luma, by: reduced)
        scales = PlaneScales(
            eighths: 8, pixelRatio: 1,
            planes: picture.planes.indices.map { index in
                let isHalf = (across: index > 0 && reduced.width == 1, down: index > 0 && reduced.height == 1)
                return PlaneScales.Plane(
                    scale: 8, size: Self.reducedSize(picture.planes[index].size, by: blocks[index]),
                    horizontalRatio: isHalf.across ? 1 / Double(step.width) : 1,
                    verticalRatio: isHalf.down ? 1 / Double(step.height) : 1,
                    unitHeight: reduced.height > 1 || index > 0 ? 1 : step.height)
            })
    }

    private static func reducedSize(_ size: PixelSize, by block: PixelSize) -> PixelSize {
        PixelSize(
            width: (size.width + block.width - 1) / block.width,
            height: (size.height + block.height - 1) / block.height)
    }

    /// The colours of a frame. The codes of the container take precedence over those in the coded data. Where neither
    /// states the matrix, it follows from the size.
    private static func colors(of frame: VideoFrame, in head: VideoHead) -> CodingIndependentColor {
        func code(_ stated: UInt16?, _ coded: UInt16) -> UInt16 { stated.flatMap { $0 == 2 ? nil : $0 } ?? coded }
        let size = frame.picture.planes[0].size
        let isLarge = size.width >= highDefinition.width || size.height >= highDefinition.height
        let matrix = code(head.codedColor?.matrix, frame.picture.matrix)
        return CodingIndependentColor(
            primaries: code(head.codedColor?.primaries, frame.primaries),
            transfer: code(head.codedColor?.transfer, frame.transfer),
            matrix: matrix == 2 ? (isLarge ? 1 : 6) : matrix,
            isFullRange: frame.picture.isFullRange || head.codedColor?.isFullRange ?? false)
    }

    func collectMeans() {}

    func share(with assistants: any RenderAssistants) {}

    func forEachRow(to consumer: any PlaneRowConsumer) -> DecodeEnd {
        let feed = TileFeed(layout, blocks: blocks, pictureColors, to: consumer)
        let planes = picture.planes
        do throws(RenderError) {
            try feed.feedPicture(checking: guardian) { row, plane in
                planes[plane].samples + min(row, planes[plane].size.height - 1) * planes[plane].bytesPerRow
            }
            return DecodeEnd(decodedFraction: 1)
        } catch {
            return DecodeEnd(error, after: feed.fedFraction)
        }
    }
}
