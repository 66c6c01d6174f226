/// What all lanes of a scan share: its blocks, how to read them, and how they lie in a run.
final class ScanLayout {
    /// A component of the scan, in the scan's order.
    struct Component {
        /// Its place in the frame.
        let index: Int
        let horizontal: Int
        let vertical: Int
        let scale: Int
        let dc: SingleScanTable
        let ac: SingleScanTable
    }

    /// By the frame's order.
    let components: [InterleavedBlocks.Component]
    /// Minimum coded units between restarts; 0 for none.
    let restartInterval: Int
    let states: ScanStates
    /// For units of which only DC coefficients are wanted.
    private(set) lazy var statesOfDifferences = ScanStates.made(states.blocks, keepsCoefficients: false)
    let codes: ScanCodes

    /// - Parameter keepsTrails: whether units of a run will be found again in its data.
    init(_ components: [Component], restartInterval: Int, keepsTrails: Bool = false) {
        var offset = 0
        var parts: [(index: Int, part: InterleavedBlocks.Component)] = []
        var blocks: [ScanStates.Block] = []
        for component in components {
            parts.append(
                (
                    component.index,
                    InterleavedBlocks.Component(
                        horizontal: component.horizontal, vertical: component.vertical, scale: component.scale,
                        offset: offset)
                ))
            let count = component.horizontal * component.vertical
            offset += count * component.scale * component.scale
            blocks += Array(
                repeating: ScanStates.Block(dc: component.dc, ac: component.ac, scale: component.scale), count: count)
        }
        self.components = parts.sorted { $0.index < $1.index }.map(\.part)
        self.restartInterval = restartInterval
        states = .made(blocks, keepsCoefficients: true)
        codes = ScanCodes(blocks, keepsMarks: keepsTrails)
    }
}
