import ThumbwheelCore

/// The size of the blocks of pixels that are averaged before resampling, across and down; 1 along an axis without
/// averaging.
///
/// Averaging is used if the image is reduced a lot. Without averaging, the resampling kernel might have hundreds of
/// taps, with weights too small to tell apart in 16 bits.
struct BoxReduction: Equatable {
    var horizontal = 1
    var vertical = 1

    static let none = BoxReduction()
    static let limit = 256

    init(horizontal: Int = 1, vertical: Int = 1) {
        precondition((1...Self.limit).contains(horizontal) && (1...Self.limit).contains(vertical))
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// Chooses the size of the blocks. Pixels are averaged along an axis only if the image shrinks to less than a
    /// quarter along that axis. For each output pixel, at least `headroom` averages remain in each direction.
    ///
    /// Usually blocks are square, with a side computed for the axis along which the image shrinks less. If the image
    /// shrinks more than twice as much along one axis as along the other axis, each axis gets a side computed for
    /// itself.
    init(for plan: ResamplingPlan) {
        let across = plan.box.width / Double(plan.outputSize.width)
        let down = plan.box.height / Double(plan.outputSize.height)
        let least = min(across, down)
        func count(_ ratio: Double) -> Int {
            let ratio = ratio > 2 * least ? ratio : least
            return ratio > 4 ? min(Self.limit, max(1, Int(ratio / plan.headroom))) : 1
        }
        self.init(horizontal: count(across), vertical: count(down))
    }

    /// Converts a rectangle from pixels of the image to averaged pixels, each of which is the mean of one block of the
    /// image's pixels.
    func reduced(_ box: SourceBox) -> SourceBox {
        box.scaled(horizontally: 1 / Double(horizontal), vertically: 1 / Double(vertical))
    }

    /// Returns the right end (`x`) and the lower end (`y`) of the picture, in averaged pixels (one for each block). The
    /// last column and the last row of decoded pixels may lie partly outside the picture, for example after a decode at
    /// a reduced scale.
    func end(of plan: ResamplingPlan) -> (x: Double, y: Double) {
        let end = plan.end ?? (Double(plan.decodedSize.width), Double(plan.decodedSize.height))
        return (end.x / Double(horizontal), end.y / Double(vertical))
    }

    /// Returns the number of blocks of an image across and down, including incomplete ones.
    func blocks(of size: PixelSize) -> PixelSize {
        PixelSize(
            width: (size.width + horizontal - 1) / horizontal, height: (size.height + vertical - 1) / vertical)
    }

    /// Returns the columns of an image's pixels that belong to the given columns of blocks.
    func columns(of blocks: Range<Int>, in size: PixelSize) -> Range<Int> {
        blocks.lowerBound * horizontal..<min(blocks.upperBound * horizontal, size.width)
    }

    /// Returns the rows of an image's pixels that belong to the given rows of blocks.
    func rows(of blocks: Range<Int>, in size: PixelSize) -> Range<Int> {
        blocks.lowerBound * vertical..<min(blocks.upperBound * vertical, size.height)
    }
}
