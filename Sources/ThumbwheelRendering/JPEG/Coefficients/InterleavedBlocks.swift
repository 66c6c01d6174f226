/// Coefficients of neighbouring minimum coded units, block by block in the order of a single scan: the output of its
/// entropy decoder.
///
/// The top-left `scale` × `scale` coefficients of each block are kept, row by row. DC coefficients are differences, and
/// nothing has been multiplied by the quantisation tables.
final class InterleavedBlocks {
    /// A component's blocks in a unit.
    struct Component {
        let horizontal: Int
        let vertical: Int
        let scale: Int
        /// From a unit's first sample to that of the component's first block.
        let offset: Int

        var blockSampleCount: Int { scale * scale }
    }

    /// By the frame's order.
    let components: [Component]
    let unitSampleCount: Int
    /// Minimum coded units that it has room for.
    let capacity: Int
    /// Minimum coded units that it holds, and the first of them that counts.
    var count = 0
    var start = 0
    /// The units before which the DC prediction begins anew.
    var resets: [Int] = []
    /// The data of the run, with marks of its units' places; nil if it is not kept.
    var trail: EntropyTrail?

    private let samples: AlignedPlane<Int16>
    // Eight blocks are looked at where there may be fewer.
    private static let slack = 64

    private var storage: UnsafeMutablePointer<Int16> { samples.start }
    private var sampleCount: Int { samples.pitch + Self.slack }

    /// - Parameter components: a scan's, in the frame's order.
    init(components: [Component], capacity: Int) {
        self.components = components
        self.capacity = capacity
        unitSampleCount = components.reduce(0) { $0 + $1.horizontal * $1.vertical * $1.blockSampleCount }
        // A guess may run over the end of a unit.
        samples = AlignedPlane(pitch: (capacity + 9) * unitSampleCount, slack: Self.slack)
    }

    /// A run that lasts, of one that does not, with no more room than for its units.
    convenience init(_ run: InterleavedBlocks) {
        self.init(components: run.components, capacity: run.count)
        storage.update(from: run.storage, count: run.count * unitSampleCount)
        (count, start, resets, trail) = (run.count, run.start, run.resets, run.trail)
    }

    /// Of its memory.
    var byteCount: Int { sampleCount * 2 + (trail?.bytes.count ?? 0) }

    func unit(_ index: Int) -> UnsafeMutablePointer<Int16> {
        precondition(index >= 0 && index <= capacity)
        return storage + index * unitSampleCount
    }

    /// Makes all coefficients of the units it holds zero, and holds none.
    ///
    /// - Parameter end: of what was written, if that is more.
    func clear(to end: UnsafeMutablePointer<Int16>) {
        // A block that was begun, and one to which unwanted coefficients went.
        let used = min(sampleCount, max(storage.distance(to: end), count * unitSampleCount) + 2 * unitSampleCount)
        UnsafeMutableRawPointer(storage).initializeMemory(as: UInt8.self, repeating: 0, count: used * 2)
        count = 0
        start = 0
        resets.removeAll(keepingCapacity: true)
    }

    /// Turns the differences of all blocks into DC coefficients (T.81, F.2.2.1).
    ///
    /// - Parameter predictions: of each component before the run; afterwards, behind it.
    func accumulate(_ predictions: inout [Int16]) {
        var unit = start
        for reset in resets where reset >= start && reset < count {
            accumulate(unit..<reset, &predictions)
            for index in predictions.indices { predictions[index] = 0 }
            unit = reset
        }
        accumulate(unit..<count, &predictions)
        // A reset behind the last unit belongs to the next run's first.
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
            // The usual numbers without an inner loop, which would take longer than the sums.
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
