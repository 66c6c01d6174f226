import ThumbwheelCore
import ThumbwheelFormats

/// Takes the rows of a decode from top to bottom and makes the output of them.
protocol RowConsumer: AnyObject {
    /// The rows it wants to see, all of them, in order.
    var neededRows: Range<Int> { get }

    /// Takes the next row: the decode's whole width, `channels` bytes a pixel.
    func consume(_ row: UnsafePointer<UInt8>)
}

extension RenderOptions {
    /// Decoded pixels per output pixel that a box reduction must leave for the kernel.
    var decodeHeadroom: Double { sampling == .best ? 3.5 : 2 }
}

/// What is to be done with a decode's rows.
struct ResamplingPlan {
    /// The decode's size.
    var decodedSize: PixelSize
    /// Bytes a pixel of the decode: 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha.
    var channels: Int
    /// The region shown, in pixels of the decode, in stored orientation.
    var box: SourceBox
    /// In stored orientation.
    var outputSize: PixelSize
    var isLinear: Bool
    /// Decoded pixels per output pixel that a box reduction must leave for the kernel.
    var headroom: Double = 2
    /// Whether the output is no more than the means of blocks: `init(forHashOf:channels:)`.
    var isOfMeans = false
    /// Where the picture ends, in pixels of the decode; nil if its last pixels are complete.
    var end: (x: Double, y: Double)?

    var format: Bitmap.PixelFormat { channels == 2 || channels == 4 ? .rgba : .rgb }

    /// Whether the output is a part of the decode, pixel by pixel.
    var isCopy: Bool {
        box.width == Double(outputSize.width) && box.height == Double(outputSize.height)
            && box.x == box.x.rounded() && box.y == box.y.rounded() && box.x >= 0 && box.y >= 0
            && box.x + box.width <= Double(decodedSize.width) && box.y + box.height <= Double(decodedSize.height)
    }

    func makeConsumer(storingInto store: OrientedStore) -> any RowConsumer {
        if isOfMeans { return PictureAverager(self, store: store) }
        if isCopy { return RowCopier(self, store: store) }
        if isLinear { return FloatResampler(self, store: store) }
        return FixedPointResampler(self, store: store)
    }
}

/// Passes rows on as they are.
final class RowCopier: RowConsumer {
    let neededRows: Range<Int>
    private let store: OrientedStore
    private let channels: Int
    private let skippedColumns: Int
    private var nextRow = 0
    private var line: [UInt8]

    init(_ plan: ResamplingPlan, store: OrientedStore) {
        let left = Int(plan.box.x)
        let top = Int(plan.box.y)
        precondition(
            left >= 0 && top >= 0 && left + plan.outputSize.width <= plan.decodedSize.width
                && top + plan.outputSize.height <= plan.decodedSize.height, "a copy of what is not there")
        self.store = store
        channels = plan.channels
        skippedColumns = left
        neededRows = top..<top + plan.outputSize.height
        line = Array(repeating: 255, count: plan.outputSize.width * plan.format.bytesPerPixel)
    }

    func consume(_ row: UnsafePointer<UInt8>) {
        let source = row + skippedColumns * channels
        if channels >= 3 {
            store.put(row: source, at: nextRow)
        } else {
            line.withUnsafeMutableBufferPointer { line in
                let bytes = store.format.bytesPerPixel
                for x in 0..<store.size.width {
                    let grey = source[x * channels]
                    line[x * bytes] = grey
                    line[x * bytes + 1] = grey
                    line[x * bytes + 2] = grey
                    if channels == 2 { line[x * bytes + 3] = source[x * 2 + 1] }
                }
                store.put(row: line.baseAddress!, at: nextRow)
            }
        }
        nextRow += 1
    }
}
