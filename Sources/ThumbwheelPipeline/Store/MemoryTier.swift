import ThumbwheelCore
import ThumbwheelRendering

/// The memory tiers: the forms in which cached renditions are stored in memory, in the order in which their renditions
/// are evicted.
///
/// A rendition is in one tier at a time. This type defines everything that differs from tier to tier.
package enum MemoryTier: Int, CaseIterable, Sendable {
    /// Pixels packed into fewer bytes without loss. They count as colder (used longer ago) than all bitmaps. Among
    /// themselves, they keep the order of use that they had as bitmaps.
    case packed
    /// Unpacked pixels and encoded files: images in the form in which they are delivered.
    case bitmaps

    /// The bytes that the tier's images may take if the budget is `budget`. If they take more, the coldest ones (least
    /// recently used) move to the next colder tier.
    func byteLimit(of budget: Int) -> Int {
        switch self {
        case .packed: budget
        case .bitmaps: budget / 2
        }
    }

    /// The bytes that an image is expected to take in this tier, if it takes `byteCount` bytes in another tier.
    package func expectedByteCount(of byteCount: Int) -> Int {
        switch self {
        case .packed: byteCount / 3 * 2
        case .bitmaps: byteCount
        }
    }

    /// Returns the pixels of `bitmap`, packed in the form that this tier stores. Returns nil if the packed pixels would
    /// not take fewer bytes than `bitmap`, or if the tier stores pixels unpacked.
    package func packed(_ bitmap: Bitmap) -> (any PackedPixels)? {
        switch self {
        case .packed: PackedBitmap(bitmap)
        case .bitmaps: nil
        }
    }

    // MARK: Packed and unpacked tiers

    /// Whether the tier's images can be delivered without unpacking. A caching manager counts only such images as
    /// ready.
    package var isReady: Bool { self == .bitmaps }

    /// The purpose for which the memory budget counts the tier's bytes.
    var purpose: MemoryBudget.Purpose { isReady ? .cache : .packed }

    /// The tiers of packed bitmaps. All packed bitmaps count as colder (used longer ago) than all unpacked ones, and
    /// are evicted before them. The only exception is an unpacked bitmap that no request has used and no caching
    /// manager wants, which is evicted first.
    package static let packedTiers: [MemoryTier] = allCases.filter { !$0.isReady }
}
