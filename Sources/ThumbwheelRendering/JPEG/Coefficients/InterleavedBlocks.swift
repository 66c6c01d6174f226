/// A run of units: the coefficients of neighbouring minimum coded units, block by block in the order of a single scan.
/// It is the output of that scan's entropy decoder.
///
/// The top-left `scale` × `scale` coefficients of each block are kept, row by row. Until `accumulate` is called, each
/// block has, in place of its DC coefficient, the difference from the DC coefficient of the component's previous block.
/// The coefficients have not been multiplied by the quantisation tables yet.
final class InterleavedBlocks {
    /// A component's blocks in a minimum coded unit.
    struct Component {
        let horizontal: Int
        let vertical: Int
        let scale: Int
        /// The distance from the first coefficient of a minimum coded unit to the first coefficient of the component's
        /// first block in the unit.
        let offset: Int

        var blockSampleCount: Int { scale * scale }
    }

    /// The components, in the frame's order.
    let components: [Component]
    let unitSampleCount: Int
    /// The number of minimum coded units for which there is memory.
    let capacity: Int
    /// The number of minimum coded units that are stored.
    var count = 0
    /// The index of the first stored minimum coded unit that belongs to the image. A decoder may begin at an arbitrary
    /// byte. It then decodes invalid units until it happens to find the start of a true one. The invalid units are
    /// stored before this index, and are not used.
    var start = 0
    /// The indices of the minimum coded units before which the DC predictions start again from zero.
    var resets: [Int] = []
    /// A copy of the entropy-coded data from which the minimum coded units were read, with positions at which reading
    /// can start again. Nil if no copy is kept.
    var trail: EntropyTrail?

    private let samples: AlignedPlane<Int16>
    // The number of readable coefficients after the last minimum coded unit. They have no meaning, but blocks are read
    // eight at a time, even if fewer than eight are left.
    private static let slack = 64

    private var storage: UnsafeMutablePointer<Int16> { samples.start }
    private var sampleCount: Int { samples.pitch + Self.slack }

    /// - Parameter components: the components of a scan, in the frame's order.
    init(components: [Component], capacity: Int) {
        self.components = components
        self.capacity = capacity
        unitSampleCount = components.reduce(0) { $0 + $1.horizontal * $1.vertical * $1.blockSampleCount }
        // There is room for nine minimum coded units beyond `capacity`, for two reasons:
        // - Blocks are read eight at a time, even if fewer are left. With one block in each unit, up to seven units
        //   beyond the last one are read.
        // - The decoder of the data may store up to two blocks beyond the unit at which it must stop.
        samples = AlignedPlane(pitch: (capacity + 9) * unitSampleCount, slack: Self.slack)
    }

    /// Copies a run of minimum coded units, so that the original can be filled again. The copy has room for only as
    /// many units as the original contains.
    convenience init(_ run: InterleavedBlocks) {
        self.init(components: run.components, capacity: run.count)
        storage.update(from: run.storage, count: run.count * unitSampleCount)
        (count, start, resets, trail) = (run.count, run.start, run.resets, run.trail)
    }

    /// The bytes of memory that the minimum coded units take, including the copy of their entropy-coded data (`trail`).
    var byteCount: Int { sampleCount * 2 + (trail?.bytes.count ?? 0) }

    func unit(_ index: Int) -> UnsafeMutablePointer<Int16> {
        precondition(index >= 0 && index <= capacity)
        return storage + index * unitSampleCount
    }

    /// Empties this object, so that it can be filled again. All memory that may contain coefficients is set to zero.
    ///
    /// - Parameter end: the address after the last complete block. If it lies beyond the first `count` units, the
    ///   coefficients up to this address are set to zero too.
    func clear(to end: UnsafeMutablePointer<Int16>) {
        // Also clears the next two minimum coded units after the last complete block, because the decoder may have
        // stored coefficients there: it may have begun one more block, and it stores unwanted coefficients after the
        // block that it decodes. These are at most two blocks, and none of them is larger than a unit.
        let used = min(sampleCount, max(storage.distance(to: end), count * unitSampleCount) + 2 * unitSampleCount)
        UnsafeMutableRawPointer(storage).initializeMemory(as: UInt8.self, repeating: 0, count: used * 2)
        count = 0
        start = 0
        resets.removeAll(keepingCapacity: true)
    }

    /// Replaces the DC differences of all blocks by DC coefficients (T.81, F.2.2.1).
    ///
    /// - Parameter predictions: for each component, the last DC coefficient before this run of minimum coded units. On
    ///   return, the last DC coefficient of this run, or 0 if a restart follows it.
    func accumulate(_ predictions: inout [Int16]) {
        var unit = start
        for reset in resets where reset >= start && reset < count {
            accumulate(unit..<reset, &predictions)
            for index in predictions.indices { predictions[index] = 0 }
            unit = reset
        }
        accumulate(unit..<count, &predictions)
        // Sets the predictions of DC coefficients to zero for the next run of units, if a restart follows the last unit
        // of this run.
        if resets.last == count { for index in predictions.indices { predictions[index] = 0 } }
    }

    private func accumulate(_ units: Range<Int>, _ predictions: inout [Int16]) {
        let step = unitSampleCount
        for (index, component) in components.enumerated() {
            var sum = predictions[index]
            let size = component.blockSampleCount
            let blocks = component.horizontal &* component.vertical
            var first = unit(units.lowerBound) + component.offset
            @inline(__always) func add(_ block: Int) {
                sum &+= first[block &* size]
                first[block &* size] = sum
            }
            // Each usual number of blocks in a unit (1, 2 or 4) has code of its own, without an inner loop over the
            // blocks. The inner loop would take longer than the few additions.
            switch blocks {
            case 1:
                for _ in units {
                    add(0)
                    first += step
                }
            case 2:
                for _ in units {
                    add(0)
                    add(1)
                    first += step
                }
            case 4:
                for _ in units {
                    add(0)
                    add(1)
                    add(2)
                    add(3)
                    first += step
                }
            default:
                for _ in units {
                    for block in 0..<blocks { add(block) }
                    first += step
                }
            }
            predictions[index] = sum
        }
    }
}
