/// What paints a scene, row by row from the top.
protocol ScenePainter {
    func paint(row y: Int, into row: ColourRow)
}
