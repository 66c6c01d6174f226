/// The properties of a scan that are the same for all its parts: the blocks of a minimum coded unit, their tables, and
/// their positions in a run of units. Each part of the scan has its own decoder, called a lane.
final class ScanLayout {
    /// A component of the scan. Components are listed in the scan's order.
    struct Component {
        /// The component's index in the frame.
        let index: Int
        let horizontal: Int
        let vertical: Int
        let scale: Int
        let dc: SingleScanTable
        let ac: SingleScanTable
    }

    /// The components of a run of minimum coded units, in the frame's order.
    let components: [InterleavedBlocks.Component]
    /// The number of minimum coded units between restarts; 0 for no restarts.
    let restartInterval: Int
    let states: ScanStates
    /// The decoder states for a reading that skips all AC coefficients and keeps only DC differences. A DC difference
    /// is a block's DC coefficient minus the DC coefficient of the component's previous block.
    private(set) lazy var statesOfDifferences = ScanStates.cached(states.blocks, keepsCoefficients: false)
    let codes: ScanCodes

    /// Computes the layout of a scan from its components.
    ///
    /// - Parameter keepsTrails: whether the lanes (the decoders of the parts of the data) record their positions,
    ///   because some minimum coded units will be read a second time.
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
        states = .cached(blocks, keepsCoefficients: true)
        codes = ScanCodes(blocks, keepsMarks: keepsTrails)
    }
}
