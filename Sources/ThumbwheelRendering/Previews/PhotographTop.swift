/// The upper part of a photograph, reduced to a few means, to tell whether a preview shows the same picture as the
/// photograph.
///
/// Some editors leave the old preview in the file when they mirror, crop or replace a photograph. A camera's own
/// preview may also differ from its photograph: it is often a little brighter or sharper, made of every tenth pixel, or
/// shifted by a hundredth of its side. The comparison therefore takes three steps:
/// - It compares how luma changes over the picture, allows for these shifts, and measures differences relative to the
///   contrast.
/// - If the whole photograph agrees with the preview only roughly, it compares the preview with crops and the mirror
///   image of the photograph.
/// - If a crop or the mirror image agrees much better than the whole photograph, it refuses the preview.
struct PhotographTop {
    /// The number of cells across the photograph. Photograph and preview are divided into a grid of cells, and the
    /// means of the cells are compared.
    private static let columnCount = 24
    /// The largest number of rows in the grid of cells whose means are compared. Without this limit, a very tall
    /// picture would have too many rows.
    private static let mostRows = 48
    /// The smallest significant contrast, in levels of 8-bit samples. If the photograph has less contrast, differences
    /// are measured against this number instead of against its contrast, and `isSurelyShown` accepts no preview.
    private static let contrastFloor: Float = 6
    /// A number of 8-bit grey levels that keeps noise from deciding comparisons. When one difference between pictures
    /// is divided by another, this number is added to both first. Differences far below this number are noise.
    private static let differenceFloor: Float = 0.7
    /// A preview that differs from the photograph by at most this fraction of the contrast is accepted at once, without
    /// being compared with crops and the mirror image of the photograph.
    private static let same: Float = 0.07
    /// A preview is never accepted if it differs from the photograph by more than this fraction of the contrast.
    private static let other: Float = 0.4
    /// One of the conditions under which a preview surely shows the photograph: it differs from the whole photograph by
    /// at most this fraction of the contrast. `worse` states another condition.
    private static let alike: Float = 0.25
    /// One of the conditions under which a preview surely shows the photograph: its difference from every crop and from
    /// the mirror image is at least this many times its difference from the whole photograph.
    private static let worse: Float = 1.5
    /// A preview counts as cropped or mirrored if its difference from that crop or mirror image of the photograph is
    /// less than this fraction of its difference from the whole photograph.
    private static let better: Float = 0.55
    /// A preview whose mean brightness differs from the photograph's by more than this number of 8-bit grey levels is
    /// not accepted.
    private static let brightnessLimit: Float = 32
    /// A preview whose colours differ from the photograph's by more than this number of 8-bit levels on average is not
    /// accepted.
    private static let colourLimit: Float = 14
    /// A crop or mirror image is compared with the preview only if it covers at least this fraction of the width, and
    /// of the height, of the photograph's decoded part.
    private static let leastOverlap = 0.35

    let picture: CoarsePicture
    /// The width of the whole photograph, in pixels of the decoded rows.
    let width: Double
    /// The height of the whole photograph, in pixels of the decoded rows.
    let height: Double
    /// The fraction of the photograph's height that has been decoded, counted from the top.
    let fraction: Double

    /// A view is an area that a preview may show: a part of the photograph, or more than the photograph, perhaps
    /// mirrored. It is given by its upper left corner and by the length of its sides (`scale`), as fractions of the
    /// photograph's sides.
    private struct View {
        var x = 0.0
        var y = 0.0
        var scale = 1.0
        var isMirrored = false
    }

    /// The differences between a preview and a view (an area of the photograph that the preview is assumed to show).
    private struct Comparison {
        /// The root of the mean square of the differences in luma, after the mean luma of each picture is subtracted.
        var difference: Float
        var contrast: Float
        var brightness: Float
        /// The mean difference in red minus luma, or that in blue minus luma, whichever is larger.
        var colour: Float
    }

    /// The area that agrees best with the preview, apart from the whole photograph: a crop of the photograph, a larger
    /// area around it, or its mirror image. `ratio` is the preview's difference from `view`, divided by its difference
    /// from the whole photograph in the same area. If the ratio is below 1, the preview agrees better with `view` than
    /// with the whole photograph.
    private struct Rival {
        var ratio: Float
        var view: View
    }

    /// Whether `preview` shows the same picture as the photograph so clearly that the answer is certain, although only
    /// the upper part of the photograph may have been decoded.
    ///
    /// The preview must agree with the whole photograph, and must agree clearly less with the mirror image and with all
    /// crops of the photograph. A plain sky never meets this condition.
    ///
    /// - Complexity: the same as that of `isShown`.
    func isSurelyShown(by preview: CoarsePicture, in box: SourceBox) -> Bool {
        guard let (whole, best) = nearestWhole(preview, box), best.contrast >= Self.contrastFloor,
            best.difference <= Self.alike * best.contrast
        else { return false }
        return bestRival(preview, box, of: whole).ratio >= Self.worse
    }

    /// Whether `preview` shows the same picture as the photograph.
    ///
    /// - Parameters:
    ///   - preview: the means of the preview's blocks, in the same orientation as the stored photograph.
    ///   - box: the area that the picture, without black bars, covers in the preview's rows.
    /// - Complexity: about a hundred comparisons of a few dozen means each.
    func isShown(by preview: CoarsePicture, in box: SourceBox) -> Bool {
        guard let (whole, best) = nearestWhole(preview, box) else { return false }
        let share = best.difference / max(best.contrast, Self.contrastFloor)
        if share <= Self.same { return true }
        return share <= Self.other && !showsElse(preview, box, than: whole)
    }

    /// Compares the preview with the whole photograph, at several small shifts and scales. Returns the shift and scale
    /// that agree best, as a view (the area of the photograph that the preview would show). Nil if brightness or
    /// colours differ too much even there.
    private func nearestWhole(_ preview: CoarsePicture, _ box: SourceBox) -> (view: View, Comparison)? {
        var nearest = View()
        guard var best = compare(preview, box, nearest) else { return nil }
        for view in Self.shifts {
            guard let comparison = compare(preview, box, view), comparison.difference < best.difference else {
                continue
            }
            (best, nearest) = (comparison, view)
        }
        guard best.brightness <= Self.brightnessLimit, best.colour <= Self.colourLimit else { return nil }
        return (nearest, best)
    }

    /// The views (areas that a preview may show) that still count as the whole photograph. They are shifted or scaled
    /// by a small margin, because cameras may lose such a margin between the sensor and the preview.
    private static let shifts: [View] = {
        let steps = [-0.015, 0, 0.015]
        return steps.flatMap { x in steps.map { View(x: x, y: $0) } }
            + [0.97, 1.03].map { View(x: (1 - $0) / 2, y: (1 - $0) / 2, scale: $0) }
    }()

    // MARK: Other views

    /// Whether the preview shows something else than the whole photograph: a crop, a larger area or the mirror image
    /// agrees much better with the preview. `whole` is the small shift and scale at which the whole photograph agrees
    /// best.
    private func showsElse(_ preview: CoarsePicture, _ box: SourceBox, than whole: View) -> Bool {
        var best = bestRival(preview, box, of: whole)
        if best.ratio < Self.better { return true }
        // `best` comes from a coarse list of crops and other areas. If the preview showed a crop of the photograph, the
        // nearest crop in that list would differ from the preview about as much as the whole photograph does, or less.
        // If all areas in the list differ at least 1.25 times as much as the whole photograph, no finer crops are
        // tried.
        guard best.ratio < 1.25 else { return false }
        for step in [0.04, 0.02, 0.01] {
            let start = best.view
            guard !start.isMirrored else { break }
            for scale in [-step, 0, step] {
                for x in [-step, 0, step] {
                    for y in [-step, 0, step] {
                        let view = View(
                            x: start.x + x - scale / 2, y: start.y + y - scale / 2, scale: start.scale + scale)
                        attempt(view, preview, box, against: whole, keeping: &best)
                    }
                }
            }
            if best.ratio < Self.better { break }
        }
        // Cameras may lose a small margin of the photograph in the preview. An area that differs from the whole
        // photograph only by such a margin counts as the whole photograph.
        let view = best.view
        let isNear = abs(view.scale - 1) < 0.05 && abs(view.x) < 0.04 && abs(view.y) < 0.04 && !view.isMirrored
        return best.ratio < Self.better && !isNear
    }

    /// Returns the area that agrees best with the preview, apart from the whole photograph: a crop of the photograph, a
    /// larger area around it, or its mirror image. All areas that are tried differ clearly from the whole photograph.
    private func bestRival(_ preview: CoarsePicture, _ box: SourceBox, of whole: View) -> Rival {
        var best = Rival(ratio: .infinity, view: whole)
        for view in Self.others { attempt(view, preview, box, against: whole, keeping: &best) }
        return best
    }

    private func attempt(
        _ view: View, _ preview: CoarsePicture, _ box: SourceBox, against whole: View, keeping best: inout Rival
    ) {
        guard let other = compare(preview, box, view), let own = compare(preview, box, whole, within: view) else {
            return
        }
        let ratio = (other.difference + Self.differenceFloor) / (own.difference + Self.differenceFloor)
        if ratio < best.ratio { best = Rival(ratio: ratio, view: view) }
    }

    private static let others: [View] = {
        let scales = [0.6, 0.7, 0.8, 0.87, 0.94, 1.07, 1.15, 1.25, 1.43, 1.67]
        let crops = scales.flatMap { scale in
            [0, 0.5, 1].flatMap { x in
                [0, 0.5, 1].map { View(x: (1 - scale) * x, y: (1 - scale) * $0, scale: scale) }
            }
        }
        return [View(isMirrored: true)] + crops
    }()

    // MARK: Comparing

    /// Compares the preview with the photograph, on the assumption that the preview shows the area `view` of the
    /// photograph.
    ///
    /// - Parameter part: the area of the photograph in which pixels are compared; nil for `view` itself. With the same
    ///   `part`, the results for two views can be compared with each other.
    /// - Returns: the differences; nil if the compared area overlaps too little of the photograph's decoded part.
    private func compare(
        _ preview: CoarsePicture, _ box: SourceBox, _ view: View, within part: View? = nil
    ) -> Comparison? {
        let shown = part ?? view
        let (left, right) = (max(0, shown.x), min(1, shown.x + shown.scale))
        let (top, bottom) = (max(0, shown.y), min(fraction, shown.y + shown.scale))
        guard bottom - top >= Self.leastOverlap * fraction, right - left >= Self.leastOverlap else { return nil }
        let columns = max(4, Int((Double(Self.columnCount) * (right - left)).rounded()))
        let rows = rowCount(bottom - top)
        let area = SourceBox(
            x: left * width, y: top * height, width: (right - left) * width, height: (bottom - top) * height)
        let place = place(left, right, top, bottom, view, box)
        return withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: 2 * columns * rows) { cells in
            let own = UnsafeMutableBufferPointer(rebasing: cells[..<(columns * rows)])
            let others = UnsafeMutableBufferPointer(rebasing: cells[(columns * rows)...])
            picture.writeMeans(of: area, columns: columns, rows: rows, to: own)
            preview.writeMeans(of: place, columns: columns, rows: rows, to: others)
            if view.isMirrored {
                for row in 0..<rows { others[row * columns..<(row + 1) * columns].reverse() }
            }
            return Self.compare(own, others)
        }
    }

    private static func compare(
        _ own: UnsafeMutableBufferPointer<SIMD4<Float>>, _ others: UnsafeMutableBufferPointer<SIMD4<Float>>
    ) -> Comparison {
        let count = Float(own.count)
        var (ownSum, otherSum, colours) = (Float(0), Float(0), SIMD4<Float>.zero)
        for cell in own.indices {
            ownSum += own[cell].x
            otherSum += others[cell].x
            let difference = own[cell] - others[cell]
            colours += difference.replacing(with: -difference, where: difference .< 0)
        }
        let (ownMean, otherMean) = (ownSum / count, otherSum / count)
        var (difference, contrast) = (Float(0), Float(0))
        for cell in own.indices {
            let deviation = own[cell].x - ownMean
            let error = deviation - others[cell].x + otherMean
            difference += error * error
            contrast += deviation * deviation
        }
        return Comparison(
            difference: (difference / count).squareRoot(), contrast: (contrast / count).squareRoot(),
            brightness: abs(ownMean - otherMean), colour: max(colours.y, colours.z) / count)
    }

    /// The number of rows of cells for a fraction of the photograph's height; cells are about as high as they are wide.
    private func rowCount(_ part: Double) -> Int {
        Int(max(1, min(Double(Self.mostRows), (Double(Self.columnCount) * height / width * part).rounded())))
    }

    /// Returns the area of the preview in which a part of the photograph appears, if the preview shows the area `view`
    /// of the photograph. The part is given as fractions of the photograph's sides.
    private func place(
        _ left: Double, _ right: Double, _ top: Double, _ bottom: Double, _ view: View, _ box: SourceBox
    ) -> SourceBox {
        let x = view.isMirrored ? 1 - (right - view.x) / view.scale : (left - view.x) / view.scale
        return SourceBox(
            x: box.x + x * box.width, y: box.y + (top - view.y) / view.scale * box.height,
            width: (right - left) / view.scale * box.width, height: (bottom - top) / view.scale * box.height)
    }
}
