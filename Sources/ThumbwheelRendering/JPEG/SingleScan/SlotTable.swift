/// The coefficients of a block that are kept at a scale, and where each is stored: its slot, the distance from the
/// block's DC coefficient.
final class SlotTable {
    /// The last zigzag position among the coefficients that are kept at the scale.
    let lastKept: Int
    // The slot of each coefficient, which is the place where it is stored in the block. The index is the coefficient's
    // zigzag position plus 1.
    private let slots: UnsafeMutablePointer<Int32>

    /// Makes the slots for a block of which only the coefficients for a scale are stored.
    ///
    /// - Parameters:
    ///   - scale: the top-left `scale` × `scale` coefficients are kept.
    ///   - stride: the distance in memory from one kept coefficient to the next. All coefficients that are not kept
    ///     share the place in memory after the last kept one.
    convenience init(scale: Int, stride: Int) {
        self.init(scale: scale, width: scale, stride: stride)
    }

    /// Makes the slots for a block whose stored rows may be longer than `scale`.
    ///
    /// - Parameter width: the number of coefficients in each row of the stored block.
    init(scale: Int, width: Int, stride: Int = 1) {
        slots = .allocate(capacity: 65)
        slots.initialize(repeating: Int32(width * width * stride), count: 65)
        var last = 0
        for (place, natural) in JPEGTables.naturalOrder.enumerated() where natural % 8 < scale && natural / 8 < scale {
            slots[place + 1] = Int32((natural / 8 * width + natural % 8) * stride)
            last = place
        }
        lastKept = last
    }

    deinit {
        slots.deallocate()
    }

    /// The slot of each coefficient: the distance from the block's DC coefficient at which it is stored. There are 65
    /// entries, which live as long as this object. Entry n, from 1 to 64, is the slot of the coefficient with the
    /// zigzag position n - 1. Entry 0 is the common slot of all coefficients that are not kept.
    var entries: UnsafePointer<Int32> { UnsafePointer(slots) }

    /// Returns the slot of a coefficient, that is, the distance from the block's DC coefficient at which it is stored.
    ///
    /// - Parameter place: the coefficient's zigzag position plus 1. For 0, the result is the common slot of all
    ///   coefficients that are not kept.
    subscript(place: Int) -> Int {
        precondition((0...64).contains(place))
        return Int(slots[place])
    }
}
