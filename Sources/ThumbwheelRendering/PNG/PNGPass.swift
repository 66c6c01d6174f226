import ThumbwheelCore

/// One of the seven passes that divide the pixels of an interlaced picture (W3C PNG, third edition, 8.2).
struct PNGPass {
    /// The column of the picture in which the pass's first pixel lies.
    let left: Int
    let top: Int
    /// The horizontal distance, in pixels of the picture, between neighbouring pixels of the pass.
    let across: Int
    let down: Int

    static let all = [
        PNGPass(left: 0, top: 0, across: 8, down: 8), PNGPass(left: 4, top: 0, across: 8, down: 8),
        PNGPass(left: 0, top: 4, across: 4, down: 8), PNGPass(left: 2, top: 0, across: 4, down: 4),
        PNGPass(left: 0, top: 2, across: 2, down: 4), PNGPass(left: 1, top: 0, across: 2, down: 2),
        PNGPass(left: 0, top: 1, across: 1, down: 2),
    ]

    /// The size of the pass in pixels for a picture of a given size; empty if a side is 0.
    func size(of picture: PixelSize) -> PixelSize {
        PixelSize(
            width: max(0, (picture.width - left + across - 1) / across),
            height: max(0, (picture.height - top + down - 1) / down))
    }
}
