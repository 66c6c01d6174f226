/// Tells which coefficients of a block are stored when a JPEG is decoded at a given scale, and where they are stored.
/// At a reduced scale, some are dropped. The place of each coefficient is given by its slot: its distance in memory
/// from the block's DC coefficient.
final class SlotTable {
    /// The last zigzag position of a stored coefficient. All coefficients after this position are dropped.
    let lastKept: Int
    // The slot of each coefficient, that is, its place in the stored block. The index is 1 plus the coefficient's
    // zigzag position. Index 0 has the common slot of all dropped coefficients.
    private let slots: UnsafeMutablePointer<Int32>

    /// Makes the slots for a block of which only the top-left `scale` × `scale` coefficients have a place in memory.
    ///
    /// - Parameters:
    ///   - scale: the number of rows, and of coefficients in a row, that are stored.
    ///   - stride: the distance in memory from one stored coefficient to the next, counted in coefficients. It is
    ///     larger than 1 if the coefficients of other blocks lie between them. All dropped coefficients share the place
    ///     in memory after the last stored one.
    convenience init(scale: Int, stride: Int) {
        self.init(scale: scale, width: scale, stride: stride)
    }

    /// Makes the slots for a block that has room in memory for `width` rows of `width` coefficients. A slot is a
    /// coefficient's place in that room. Only the first `scale` coefficients of the first `scale` rows are stored; all
    /// others are dropped.
    ///
    /// - Parameter stride: the distance in memory from one coefficient of a row to the next, counted in coefficients.
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
    /// zigzag position n - 1. Entry 0 is the common slot of all dropped coefficients.
    var entries: UnsafePointer<Int32> { UnsafePointer(slots) }

    /// Returns the slot of a coefficient, that is, the distance from the block's DC coefficient at which it is stored.
    ///
    /// - Parameter place: 1 plus the coefficient's zigzag position. 0 stands for no stored coefficient, and gives the
    ///   common slot of all dropped coefficients.
    subscript(place: Int) -> Int {
        precondition((0...64).contains(place))
        return Int(slots[place])
    }
}
