/// Coefficients of some minimum coded units in a row, as the entropy decoder finds them: DC differences, nothing scaled.
///
/// Kept are the top-left `scale` × `scale` coefficients of each block. The same coefficient of successive blocks lies side by
/// side, so that the inverse transform works on eight blocks at a time.
final class CoefficientRun {
    /// A component's blocks in the units of an interleaved scan.
    struct Component {
        let horizontal: Int
        let vertical: Int
        let scale: Int
    }

    /// Minimum coded units that it has room for.
    let capacity: Int
    /// Minimum coded units that it holds, and the first of them that counts.
    var count = 0
    var start = 0
    /// The units before which the DC prediction begins anew.
    var resets: [Int] = []

    private let components: [Component]
    private let strides: [Int]
    private let starts: [Int]
    private let storage: UnsafeMutablePointer<Int16>
    private let sampleCount: Int

    init(components: [Component], capacity: Int) {
        self.components = components
        self.capacity = capacity
        // Room for the seven blocks that the last eight may lack, and rows that do not fall on the same cache lines.
        strides = components.map { ($0.horizontal * capacity + 8 + 31) / 32 * 32 + 32 }
        var starts: [Int] = []
        var total = 0
        for (component, stride) in zip(components, strides) {
            starts.append(total)
            total += component.vertical * Self.planeCount(component.scale) * stride
        }
        self.starts = starts
        sampleCount = total
        storage = .allocate(capacity: total)
        storage.initialize(repeating: 0, count: total)
    }

    deinit {
        storage.deallocate()
    }

    /// One plane for each coefficient that is kept, and one for those that are not.
    private static func planeCount(_ scale: Int) -> Int { scale * scale + 1 }

    /// From one coefficient to the next of the same block.
    func stride(_ component: Int) -> Int { strides[component] }

    /// The first block of one of the component's `vertical` rows.
    func row(_ row: Int, of component: Int) -> UnsafeMutablePointer<Int16> {
        precondition(row < components[component].vertical)
        return storage + starts[component] + row * Self.planeCount(components[component].scale) * strides[component]
    }

    /// Makes all coefficients of the units it holds zero, and holds none.
    func clear() {
        for (index, component) in components.enumerated() {
            let used = min(component.horizontal * (count + 2), strides[index])
            for plane in 0..<component.vertical * Self.planeCount(component.scale) {
                (storage + starts[index] + plane * strides[index]).update(repeating: 0, count: used)
            }
        }
        count = 0
        start = 0
        resets.removeAll(keepingCapacity: true)
    }

    /// Turns the differences of all blocks into DC coefficients (T.81, F.2.2.1).
    ///
    /// - Parameter predictions: of each component before the run; afterwards, behind it.
    func accumulate(_ predictions: inout [Int16]) {
        for (index, component) in components.enumerated() {
            var prediction = predictions[index]
            var unit = start
            for end in resets.filter({ $0 >= start }) + [count] {
                accumulate(index, component, unit..<end, &prediction)
                if end < count { prediction = 0 }
                unit = end
            }
            // A reset behind the last unit belongs to the next run's first.
            predictions[index] = prediction
        }
        if resets.last == count { for index in predictions.indices { predictions[index] = 0 } }
    }

    private func accumulate(_ index: Int, _ component: Component, _ units: Range<Int>, _ prediction: inout Int16) {
        precondition(units.upperBound <= capacity)
        var sum = prediction
        if component.vertical == 1 {
            let blocks = row(0, of: index)
            for block in units.lowerBound &* component.horizontal..<units.upperBound &* component.horizontal {
                sum &+= blocks[block]
                blocks[block] = sum
            }
        } else {
            let rowStride = Self.planeCount(component.scale) * strides[index]
            let first = row(0, of: index)
            for unit in units {
                for row in 0..<component.vertical {
                    let blocks = first + (row &* rowStride &+ unit &* component.horizontal)
                    for block in 0..<component.horizontal {
                        sum &+= blocks[block]
                        blocks[block] = sum
                    }
                }
            }
        }
        prediction = sum
    }
}
