import ThumbwheelCore

/// One of the seven passes of an interlaced picture (W3C PNG, third edition, 8.2).
struct PNGPass {
    /// Where its first pixel lies.
    let left: Int
    let top: Int
    /// Pixels from one of its own to the next, across and down.
    let across: Int
    let down: Int

    static let all = [
        PNGPass(left: 0, top: 0, across: 8, down: 8), PNGPass(left: 4, top: 0, across: 8, down: 8),
        PNGPass(left: 0, top: 4, across: 4, down: 8), PNGPass(left: 2, top: 0, across: 4, down: 4),
        PNGPass(left: 0, top: 2, across: 2, down: 4), PNGPass(left: 1, top: 0, across: 2, down: 2),
        PNGPass(left: 0, top: 1, across: 1, down: 2),
    ]

    /// How many pixels it has of a picture; none where a side is 0.
    func size(of picture: PixelSize) -> PixelSize {
        PixelSize(
            width: max(0, (picture.width - left + across - 1) / across),
            height: max(0, (picture.height - top + down - 1) / down))
    }
}
