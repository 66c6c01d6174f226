import ThumbwheelCore
import ThumbwheelRendering

/// The forms in which memory keeps renditions, in the order in which they are given up.
///
/// A rendition lies in one tier at a time. Everything that is particular to a tier is defined here.
package enum MemoryTier: Int, CaseIterable, Sendable {
    /// Pixels packed into fewer bytes. They count as colder (used longer ago) than all bitmaps, and keep the order that
    /// they had as bitmaps.
    case packed
    /// Pixels and files in the form in which they are delivered.
    case bitmaps

    /// The bytes that the tier's images may take if the budget is `budget`. Beyond that, the coldest of them move to
    /// the next colder tier.
    func byteLimit(of budget: Int) -> Int {
        switch self {
        case .packed: budget
        case .bitmaps: budget / 2
        }
    }

    /// The bytes that an image is expected to take in this tier, if it takes `byteCount` bytes in another one.
    package func expectedByteCount(of byteCount: Int) -> Int {
        switch self {
        case .packed: byteCount / 3 * 2
        case .bitmaps: byteCount
        }
    }

    /// Brings pixels into the form of this tier; nil if they would not take fewer bytes, or if the tier keeps pixels as
    /// they are.
    package func packed(_ bitmap: Bitmap) -> (any PackedPixels)? {
        switch self {
        case .packed: PackedBitmap(bitmap)
        case .bitmaps: nil
        }
    }

    // MARK: The same for all

    /// Whether the tier's images are delivered as they are, and so count as ready in windows.
    package var isReady: Bool { self == .bitmaps }

    /// The purpose for which the budget counts the tier's bytes.
    var purpose: MemoryBudget.Purpose { isReady ? .cache : .packed }

    /// The tiers that are colder than bitmaps. Their images are given up before any bitmap that somebody has asked for.
    package static let colder: [MemoryTier] = allCases.filter { !$0.isReady }
}
