import Thumbwheel

import struct Synchronization.Atomic

/// Stands for a cell of a grid: counts the images that it is shown.
final class Cell: Sendable {
    private let count = Atomic(0)
    /// Keeps the cells of two threads out of each other's cache lines, wherever the allocator puts them.
    private let space = SIMD16<UInt64>()

    var shownCount: Int { count.load(ordering: .relaxed) }

    @inline(never)
    func show(_ bitmap: Bitmap) {
        count.store(shownCount + (bitmap.byteCount > 0 ? 1 : 0), ordering: .relaxed)
    }
}
