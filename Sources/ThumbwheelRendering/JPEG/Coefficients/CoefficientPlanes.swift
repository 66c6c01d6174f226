/// Coefficients of neighbouring minimum coded units, in one plane for each place in a block: the input of the inverse
/// transform.
///
/// The top-left `scale` × `scale` coefficients of each block are kept. The same coefficient of successive blocks lies side
/// by side, so that the transform works on eight blocks at a time. Nothing has been multiplied by the quantisation tables.
final class CoefficientPlanes {
    /// The blocks that a component has in each minimum coded unit of an interleaved scan, and their scale.
    struct Component {
        let horizontal: Int
        let vertical: Int
        let scale: Int
    }

    let unitCount: Int

    private let components: [Component]
    private let strides: [Int]
    private let starts: [Int]
    private let samples: AlignedPlane<Int16>

    private var storage: UnsafeMutablePointer<Int16> { samples.start }

    init(components: [Component], unitCount: Int) {
        self.components = components
        self.unitCount = unitCount
        // Each row has room for the seven blocks that the last group of eight may lack; the padding also keeps rows from
        // falling on the same cache lines.
        strides = components.map { ($0.horizontal * unitCount + 8 + 31) / 32 * 32 + 32 }
        var starts: [Int] = []
        var total = 0
        for (component, stride) in zip(components, strides) {
            starts.append(total)
            total += component.vertical * Self.planeCount(component.scale) * stride
        }
        self.starts = starts
        samples = AlignedPlane(pitch: total)
    }

    /// The number of planes: one for each coefficient that is kept, and one into which all other coefficients are written.
    private static func planeCount(_ scale: Int) -> Int { scale * scale + 1 }

    /// The distance from one coefficient to the next one of the same block, in coefficients.
    func stride(_ component: Int) -> Int { strides[component] }

    /// The first coefficient of the first block in one of the component's `vertical` rows of blocks.
    func row(_ row: Int, of component: Int) -> UnsafeMutablePointer<Int16> {
        precondition(row < components[component].vertical)
        return storage + starts[component] + row * Self.planeCount(components[component].scale) * strides[component]
    }

    /// Makes all coefficients zero.
    func clear() {
        storage.update(repeating: 0, count: samples.pitch)
    }

    /// Sets the coefficients of all units from `unit` on to zero.
    func clear(from unit: Int) {
        guard unit < unitCount else { return }
        for (index, component) in components.enumerated() {
            for line in 0..<component.vertical {
                for place in 0..<Self.planeCount(component.scale) {
                    let first = row(line, of: index) + place * strides[index] + unit * component.horizontal
                    first.update(repeating: 0, count: (unitCount - unit) * component.horizontal)
                }
            }
        }
    }
}
