/// The coefficients of neighbouring minimum coded units, arranged as input of the inverse transform. They are divided
/// into planes. A plane holds the coefficients at one position in the block, such as all DC coefficients, for a row of
/// blocks.
///
/// Only the top-left `scale` × `scale` coefficients of each block are kept. In a plane, the coefficients of successive
/// blocks lie side by side, so that the transform works on eight blocks at a time. The coefficients have not been
/// multiplied by the quantisation tables yet.
final class CoefficientPlanes {
    /// A colour component: the numbers of its blocks across and down in each minimum coded unit of an interleaved scan,
    /// and its scale. Of each block, the top-left `scale` × `scale` coefficients are kept.
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
        // Each plane has eight spare coefficients at its end, because the transform reads eight blocks at a time. The
        // length is then rounded up to whole cache lines of 32 coefficients. One more cache line is added, so that
        // neighbouring planes do not compete for the same places in the processor's cache.
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

    /// The number of planes for a row of blocks: one for each position whose coefficients are kept, and one into which
    /// all other coefficients are written.
    private static func planeCount(_ scale: Int) -> Int { scale * scale + 1 }

    /// The distance from one coefficient to the next one of the same block, in coefficients.
    func stride(_ component: Int) -> Int { strides[component] }

    /// Returns the address of the first coefficient in a row of the component's blocks. `row` is the index of the row
    /// of blocks within the row of minimum coded units, from 0 to below `vertical`.
    func row(_ row: Int, of component: Int) -> UnsafeMutablePointer<Int16> {
        precondition(row < components[component].vertical)
        return storage + starts[component] + row * Self.planeCount(components[component].scale) * strides[component]
    }

    /// Makes all coefficients zero.
    func clear() {
        storage.update(repeating: 0, count: samples.pitch)
    }

    /// Sets all coefficients to zero in the minimum coded unit with the index `unit` and in all units after it.
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
