import ThumbwheelCore
import ThumbwheelRendering

/// The forms in which memory keeps renditions, from the first that is given up to the last.
///
/// A rendition lies in one tier at a time. All that is particular to a tier is told here.
package enum MemoryTier: Int, CaseIterable, Sendable {
    /// Behind the bitmaps in their order, and in fewer bytes.
    case packed
    /// Pixels, and files, as they are delivered.
    case bitmaps

    /// What of a budget its images may take before the coldest of them move to the next tier.
    func byteLimit(of budget: Int) -> Int {
        switch self {
        case .packed: budget
        case .bitmaps: budget / 2
        }
    }

    /// The bytes that an image of another tier is expected to take there.
    package func expectedByteCount(of byteCount: Int) -> Int {
        switch self {
        case .packed: byteCount / 3 * 2
        case .bitmaps: byteCount
        }
    }

    /// Makes its form of pixels; nil if they would not take fewer bytes.
    package func packed(_ bitmap: Bitmap) -> (any PackedPixels)? {
        switch self {
        case .packed: PackedBitmap(bitmap)
        case .bitmaps: nil
        }
    }

    // MARK: The same for all

    /// Whether its images are delivered as they are, and so count as ready in windows.
    package var isReady: Bool { self == .bitmaps }

    /// What pays for it.
    var purpose: MemoryBudget.Purpose { isReady ? .cache : .packed }

    /// Those that are given up before bitmaps that somebody has asked for.
    package static let colder: [MemoryTier] = allCases.filter { !$0.isReady }
}
