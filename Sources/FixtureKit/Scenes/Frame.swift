/// The size of the picture being painted, and what painters ask of it.
struct Frame {
    let width: Int
    let height: Int

    /// The step between pixels that puts `cells` lattice cells along the picture's longer side.
    func step(cells: Int) -> LatticePosition {
        (cells << 32) / max(width, height)
    }

    /// A length or position given in thousandths of the picture's height, in pixels.
    func rows(_ thousandths: Int) -> Int { height * thousandths / 1000 }

    /// A position given in thousandths of the picture's width, in pixels.
    func columns(_ thousandths: Int) -> Int { width * thousandths / 1000 }
}
