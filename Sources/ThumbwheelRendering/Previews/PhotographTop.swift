/// The upper part of a photograph, reduced to a few means, to tell whether a preview shows the same picture as the
/// photograph.
///
/// Some editors leave the old preview in the file when they mirror, crop or replace a photograph. A camera's own
/// preview may also differ from its photograph: it is often a little brighter or sharper, made of every tenth pixel, or
/// shifted by a hundredth of its side. The comparison therefore has three steps:
/// - The changes of luma over the preview and over the photograph are compared. Small shifts are tolerated, and
///   differences are measured relative to the contrast.
/// - If the preview agrees only roughly with the whole photograph, it is also compared with crops and the mirror image
///   of the photograph.
/// - If a crop or the mirror image agrees much better than the whole photograph, the preview is refused.
struct PhotographTop {
    /// The number of cells across the photograph. Photograph and preview are divided into a grid of cells, and the
    /// means of the cells are compared.
    private static let columnCount = 24
    /// The largest number of rows in the grid of cells whose means are compared. Without this limit, a very tall
    /// picture would have too many rows.
    private static let rowLimit = 48
    /// A photograph with less contrast than this number of 8-bit levels counts as nearly plain. This has two
    /// consequences:
    /// - The differences between a preview and a photograph are divided by the photograph's contrast, but by this
    ///   number if the photograph is nearly plain.
    /// - `isSurelyShown` accepts no preview of a nearly plain photograph.
    private static let contrastFloor: Float = 6
    /// A number of 8-bit grey levels that is added to two differences before one is divided by the other. Without this
    /// number, noise would decide the ratio of two very small differences.
    private static let differenceFloor: Float = 0.7
    /// A preview that differs from the photograph by at most this fraction of the photograph's contrast is accepted at
    /// once, without being compared with crops and the mirror image of the photograph.
    private static let acceptedDifference: Float = 0.07
    /// A preview that differs from the photograph by more than this fraction of the photograph's contrast is never
    /// accepted.
    private static let rejectedDifference: Float = 0.4
    /// A preview that differs from the whole photograph by more than this fraction of the photograph's contrast is not
    /// accepted by `isSurelyShown`.
    private static let certainDifference: Float = 0.25
    /// `isSurelyShown` accepts a preview only if every crop and the mirror image of the photograph fit the preview
    /// clearly worse than the whole photograph does. Their differences from the preview must be at least this many
    /// times the difference of the whole photograph.
    private static let certainRivalRatio: Float = 1.5
    /// A preview counts as cropped or mirrored if a crop or the mirror image of the photograph fits the preview much
    /// better than the whole photograph does. Its difference from the preview must be less than this fraction of the
    /// difference of the whole photograph.
    private static let croppedRivalRatio: Float = 0.55
    /// A preview whose mean brightness differs from the photograph's by more than this number of 8-bit grey levels is
    /// not accepted.
    private static let brightnessLimit: Float = 32
    /// A preview whose colours differ from the photograph's by more than this number of 8-bit levels on average is not
    /// accepted.
    private static let colourLimit: Float = 14
    /// A crop or mirror image of the photograph is compared with the preview only if it covers enough of the
    /// photograph's decoded part: at least this fraction of the part's width, and at least this fraction of the part's
    /// height.
    private static let minimumOverlap = 0.35

    let picture: CoarsePicture
    /// The width of the whole photograph, in pixels of the decoded rows.
    let width: Double
    /// The height of the whole photograph, in pixels of the decoded rows.
    let height: Double
    /// The fraction of the photograph's height that has been decoded, counted from the top.
    let fraction: Double

    /// An area that a preview may show: the whole photograph, a part of it, or a larger area around it. The area may be
    /// mirrored. `x` and `y` are the area's upper left corner, and `scale` is the length of its sides. All three are
    /// fractions of the photograph's sides.
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
        /// The difference in colour. Two mean differences are computed, one for red minus luma and one for blue minus
        /// luma. The larger of the two counts.
        var colour: Float
    }

    /// The best alternative to the whole photograph: a crop of the photograph, a larger area around it, or its mirror
    /// image.
    private struct Rival {
        /// The difference between the preview and the photograph on the assumption that the preview shows `view`,
        /// divided by the difference on the assumption that it shows the whole photograph. Both differences are
        /// measured over the part of the photograph that lies in `view`. If the ratio is below 1, the preview agrees
        /// better with `view`.
        var ratio: Float
        /// The area that agrees best with the preview, apart from the whole photograph.
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
            best.difference <= Self.certainDifference * best.contrast
        else { return false }
        return bestRival(preview, box, of: whole).ratio >= Self.certainRivalRatio
    }

    /// Whether `preview` shows the same picture as the photograph.
    ///
    /// - Parameters:
    ///   - preview: the means of the preview's blocks, in the same orientation as the stored photograph.
    ///   - box: the area that shows the picture, in pixels of the rows from which `preview` was made. Cameras put black
    ///     bars around some previews. This area excludes any part of such a bar that the rows still contain.
    /// - Complexity: about a hundred comparisons of a few dozen means each.
    func isShown(by preview: CoarsePicture, in box: SourceBox) -> Bool {
        guard let (whole, best) = nearestWhole(preview, box) else { return false }
        let share = best.difference / max(best.contrast, Self.contrastFloor)
        if share <= Self.acceptedDifference { return true }
        return share <= Self.rejectedDifference && !showsElse(preview, box, than: whole)
    }

    /// Compares the preview with the whole photograph at several small shifts and scales, and chooses the best one.
    ///
    /// - Returns: the area of the photograph that the preview shows at the best shift and scale, and the differences
    ///   found there. Nil if brightness or colours differ too much in the best case.
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

    // MARK: Comparison with crops and the mirror image

    /// Whether a crop of the photograph, a larger area around it or its mirror image agrees much better with the
    /// preview than the whole photograph does.
    ///
    /// - Parameter whole: the small shift and scale at which the whole photograph agrees best with the preview.
    private func showsElse(_ preview: CoarsePicture, _ box: SourceBox, than whole: View) -> Bool {
        var best = bestRival(preview, box, of: whole)
        if best.ratio < Self.croppedRivalRatio { return true }
        // Stops here if it is unlikely that the preview shows a crop or a larger area. `best` is the best of a list of
        // such areas. If the preview showed a crop or a larger area, an area of the list would be similar to it, and
        // its difference from the preview would be hardly greater than that of the whole photograph, or smaller. But
        // even the difference of `best` is 1.25 times that of the whole photograph or more.
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
            if best.ratio < Self.croppedRivalRatio { break }
        }
        // A part of the photograph that lacks only a narrow margin of it is no rival of the whole photograph: a camera
        // may cut off such a margin when it makes the preview.
        let view = best.view
        let isNear = abs(view.scale - 1) < 0.05 && abs(view.x) < 0.04 && abs(view.y) < 0.04 && !view.isMirrored
        return best.ratio < Self.croppedRivalRatio && !isNear
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

    // MARK: Comparison of a preview with one area

    /// Compares the preview with the photograph, on the assumption that the preview shows the area `view` of the
    /// photograph.
    ///
    /// - Parameter part: the area of the photograph that is compared with the preview; nil for all of `view`. The
    ///   results for two views can be compared with each other only if `part` is the same.
    /// - Returns: the differences; nil if the compared area covers too little of the photograph's decoded part.
    private func compare(
        _ preview: CoarsePicture, _ box: SourceBox, _ view: View, within part: View? = nil
    ) -> Comparison? {
        let shown = part ?? view
        let (left, right) = (max(0, shown.x), min(1, shown.x + shown.scale))
        let (top, bottom) = (max(0, shown.y), min(fraction, shown.y + shown.scale))
        guard bottom - top >= Self.minimumOverlap * fraction, right - left >= Self.minimumOverlap else { return nil }
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

    /// Returns the number of rows of cells in a part of the photograph. The argument is the height of that part, as a
    /// fraction of the photograph's height. Cells are about as high as they are wide.
    private func rowCount(_ part: Double) -> Int {
        Int(max(1, min(Double(Self.rowLimit), (Double(Self.columnCount) * height / width * part).rounded())))
    }

    /// Returns where a part of the photograph lies in the preview, on the assumption that the preview shows the area
    /// `view` of the photograph. The edges of the part are given as fractions of the photograph's width and height.
    private func place(
        _ left: Double, _ right: Double, _ top: Double, _ bottom: Double, _ view: View, _ box: SourceBox
    ) -> SourceBox {
        let x = view.isMirrored ? 1 - (right - view.x) / view.scale : (left - view.x) / view.scale
        return SourceBox(
            x: box.x + x * box.width, y: box.y + (top - view.y) / view.scale * box.height,
            width: (right - left) / view.scale * box.width, height: (bottom - top) / view.scale * box.height)
    }
}
