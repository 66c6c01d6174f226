import ThumbwheelCore

/// The upper part of a photograph in a few means, and whether a preview shows the same.
///
/// Previews are left behind when editors mirror, cut or replace a photograph. Those that cameras make are often a little
/// brighter or sharper than the photograph, made of every tenth pixel, or shifted by a hundredth, and are the photograph's all
/// the same. So it is the course of light that is compared, with room for such shifts, and measured by the contrast that there
/// is. Where it agrees only roughly, cut and mirrored views are tried: if one of them agrees much better, it is the view.
struct PhotographTop {
    /// Cells across the photograph.
    private static let columnCount = 24
    /// Rows of cells, of which a very tall picture would have too many.
    private static let mostRows = 48
    /// Contrast and differences, in levels, below which nothing can be told.
    private static let contrastFloor: Float = 6
    private static let differenceFloor: Float = 0.7
    /// Shares of the contrast: a difference up to the first is none, and one beyond the second is that of another picture.
    private static let same: Float = 0.07
    private static let other: Float = 0.4
    /// How much smaller another view's difference must be.
    private static let better: Float = 0.55
    /// Levels by which a preview may be brighter or darker, and by which its colours may differ.
    private static let brightnessLimit: Float = 32
    private static let colourLimit: Float = 14
    /// What a view must have in common with the part that is known, to say anything.
    private static let leastOverlap = 0.35

    let picture: CoarsePicture
    /// Of the whole photograph, in pixels of `picture`'s rows.
    let width: Double
    let height: Double
    /// How much of the height is known, from the top.
    let fraction: Double

    /// A part of the photograph, or more than it, that a preview may show; in shares of the photograph's sides.
    private struct View {
        var x = 0.0
        var y = 0.0
        var scale = 1.0
        var isMirrored = false
    }

    /// How a preview and the photograph differ where a view puts the one on the other.
    private struct Comparison {
        /// Root of the mean square, means taken away.
        var difference: Float
        var contrast: Float
        var brightness: Float
    }

    /// - Parameters:
    ///   - preview: in stored orientation, as the photograph is.
    ///   - box: where in its rows the picture is.
    /// - Complexity: some hundred comparisons of a few dozen means.
    func isShown(by preview: CoarsePicture, in box: SourceBox) -> Bool {
        var nearest = View()
        guard var best = compare(preview, box, nearest) else { return false }
        for view in Self.shifts {
            guard let comparison = compare(preview, box, view), comparison.difference < best.difference else {
                continue
            }
            (best, nearest) = (comparison, view)
        }
        guard best.brightness <= Self.brightnessLimit, colourDifference(preview, box, nearest) <= Self.colourLimit
        else {
            return false
        }
        let share = best.difference / max(best.contrast, Self.contrastFloor)
        if share <= Self.same { return true }
        return share <= Self.other && !showsElse(preview, box, than: nearest)
    }

    /// The whole photograph, but for what is lost between sensor and preview.
    private static let shifts: [View] = {
        let steps = [-0.015, 0, 0.015]
        return steps.flatMap { x in steps.map { View(x: x, y: $0) } }
            + [0.97, 1.03].map { View(x: (1 - $0) / 2, y: (1 - $0) / 2, scale: $0) }
    }()

    // MARK: Other views

    /// Whether another view agrees much better than the one that was found for the whole.
    private func showsElse(_ preview: CoarsePicture, _ box: SourceBox, than whole: View) -> Bool {
        var best: (ratio: Float, view: View) = (.infinity, whole)
        func attempt(_ view: View) {
            guard let other = compare(preview, box, view), let own = compare(preview, box, whole, within: view) else {
                return
            }
            let ratio = (other.difference + Self.differenceFloor) / (own.difference + Self.differenceFloor)
            if ratio < best.ratio { best = (ratio, view) }
        }
        attempt(View(isMirrored: true))
        if best.ratio < Self.better { return true }
        for scale in [0.6, 0.7, 0.8, 0.87, 0.94, 1.07, 1.15, 1.25, 1.43, 1.67] {
            for x in [0, 0.5, 1] {
                for y in [0, 0.5, 1] { attempt(View(x: (1 - scale) * x, y: (1 - scale) * y, scale: scale)) }
            }
        }
        // Near the right view a coarse one agrees at least nearly as well.
        guard best.ratio < 1.25 else { return false }
        for step in [0.04, 0.02, 0.01] {
            let start = best.view
            guard !start.isMirrored else { break }
            for scale in [-step, 0, step] {
                for x in [-step, 0, step] {
                    for y in [-step, 0, step] {
                        attempt(
                            View(
                                x: start.x + x - scale / 2, y: start.y + y - scale / 2, scale: start.scale + scale))
                    }
                }
            }
            if best.ratio < Self.better { break }
        }
        // As little as cameras lose is no other view.
        let view = best.view
        let isNear = abs(view.scale - 1) < 0.05 && abs(view.x) < 0.04 && abs(view.y) < 0.04 && !view.isMirrored
        return best.ratio < Self.better && !isNear
    }

    // MARK: Comparing

    /// - Parameter part: a view whose common part with the photograph alone is looked at.
    /// - Returns: nil where they have too little in common.
    private func compare(
        _ preview: CoarsePicture, _ box: SourceBox, _ view: View, within part: View? = nil
    ) -> Comparison? {
        let shown = part ?? view
        let (left, right) = (max(0, shown.x), min(1, shown.x + shown.scale))
        let (top, bottom) = (max(0, shown.y), min(fraction, shown.y + shown.scale))
        guard bottom - top >= Self.leastOverlap * fraction, right - left >= Self.leastOverlap else { return nil }
        let columns = max(4, Int((Double(Self.columnCount) * (right - left)).rounded()))
        let rows = rowCount(bottom - top)
        let own = picture.means(
            of: SourceBox(
                x: left * width, y: top * height, width: (right - left) * width, height: (bottom - top) * height),
            columns: columns, rows: rows)
        var others = preview.means(of: place(left, right, top, bottom, view, box), columns: columns, rows: rows)
        if view.isMirrored {
            for row in 0..<rows { others[row * columns..<(row + 1) * columns].reverse() }
        }
        let count = Float(own.count)
        let (ownMean, otherMean) = (own.reduce(0, +) / count, others.reduce(0, +) / count)
        var (difference, contrast) = (Float(0), Float(0))
        for (first, second) in zip(own, others) {
            let deviation = first - ownMean
            difference += (deviation - second + otherMean) * (deviation - second + otherMean)
            contrast += deviation * deviation
        }
        return Comparison(
            difference: (difference / count).squareRoot(), contrast: (contrast / count).squareRoot(),
            brightness: abs(ownMean - otherMean))
    }

    /// Rows of cells, about as high as they are wide, in a part of the height.
    private func rowCount(_ part: Double) -> Int {
        Int(max(1, min(Double(Self.mostRows), (Double(Self.columnCount) * height / width * part).rounded())))
    }

    /// Where a part of the photograph is in a preview that shows a view of it.
    private func place(
        _ left: Double, _ right: Double, _ top: Double, _ bottom: Double, _ view: View, _ box: SourceBox
    ) -> SourceBox {
        let x = view.isMirrored ? 1 - (right - view.x) / view.scale : (left - view.x) / view.scale
        return SourceBox(
            x: box.x + x * box.width, y: box.y + (top - view.y) / view.scale * box.height,
            width: (right - left) / view.scale * box.width, height: (bottom - top) / view.scale * box.height)
    }

    /// Mean difference of what is not luma.
    private func colourDifference(_ preview: CoarsePicture, _ box: SourceBox, _ view: View) -> Float {
        let rows = rowCount(fraction)
        let whole = SourceBox(x: 0, y: 0, width: width, height: height * fraction)
        let part = place(0, 1, 0, fraction, view, box)
        return [CoarsePicture.Aspect.redness, .blueness].map { aspect in
            let own = picture.means(aspect, of: whole, columns: Self.columnCount, rows: rows)
            let others = preview.means(aspect, of: part, columns: Self.columnCount, rows: rows)
            return zip(own, others).reduce(0) { $0 + abs($1.0 - $1.1) } / Float(own.count)
        }.max() ?? 0
    }
}
