/// Where the coefficients of a block go: which are kept for a scale, and how far apart.
final class SlotTable {
    /// The last place of the zigzag order that is kept.
    let lastKept: Int
    // By place + 1.
    private let slots: UnsafeMutablePointer<Int32>

    /// - Parameters:
    ///   - scale: the top-left `scale` × `scale` coefficients are kept.
    ///   - stride: from one of them to the next; the others go behind the last.
    convenience init(scale: Int, stride: Int) {
        self.init(scale: scale, width: scale, stride: stride)
    }

    /// - Parameter width: of the rows that they are kept in.
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

    /// 65 entries that live as long as this object: for a place from 1 to 64, where the coefficient before it goes.
    var entries: UnsafePointer<Int32> { UnsafePointer(slots) }

    /// Where the coefficient before a place from 0 to 64 goes.
    subscript(place: Int) -> Int {
        precondition((0...64).contains(place))
        return Int(slots[place])
    }
}
