/// A plane that runs from the bottom of the picture to a horizon, textured with noise that gets denser with distance.
struct Perspective {
    let frame: Frame
    /// The row at which the plane vanishes.
    let vanishing: Int
    /// Cells of the first octave along the bottom row, across and in depth.
    let cells: Int
    let cellsDeep: Int
    let noise: FractalNoise

    /// How near row `y` is: 0 at the horizon, 256 at the bottom.
    func nearness(ofRow y: Int) -> Int32 {
        Int32(min(256, max(0, (y - vanishing) * 256 / max(1, frame.height - vanishing))))
    }

    func add(to row: SampleRow, y: Int, amplitude: Int32) {
        let distance = max(1, y - vanishing)
        let span = max(1, frame.height - vanishing)
        let depth = frame.step(cells: cellsDeep) * span
        // Depth goes as 1/distance, so its step from row to row goes as 1/distance². A quarter of it counts: far waves
        // and tufts are seen as flickering lines rather than not at all.
        noise.add(
            to: row.values, count: row.count, step: frame.step(cells: cells) * span / distance,
            rowStep: depth / distance * span / (distance + 1) / 4, y: depth / distance * span, amplitude: amplitude)
    }
}
