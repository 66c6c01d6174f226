/// Reads minimum coded units at the image's edges from the data of a sequential scan a second time. The first time,
/// only the low-frequency coefficients were kept; now all are kept.
final class EdgeUnits {
    private let scan: ScanLayout
    /// Memory for a minimum coded unit with all its coefficients.
    private let unit: InterleavedBlocks
    /// Memory for blocks that are read only to be dropped. The second reading begins at a recorded position, which may
    /// lie inside a minimum coded unit. The rest of that unit is decoded with the states of the first reading, in which
    /// blocks have fewer coefficients, so it has another layout than `unit`.
    private let spare: InterleavedBlocks

    // The run of minimum coded units that is being read again; nil if there is none.
    private var run: InterleavedBlocks?
    // The index in `run` of the minimum coded unit that is read next.
    private var next = 0
    // The decoder of the entropy-coded data. It stands at the start of the minimum coded unit with the index `next`.
    // Its position is counted from the first byte of `run.trail`, the copy of the data of `run`.
    private var lane: EntropyLane

    /// Makes a reader for the edge units of a scan, which was read once with fewer coefficients.
    ///
    /// - Parameters:
    ///   - components: the scan's components, with the scales at which this reader reads them. A component that has
    ///     blocks at the image's edges has scale 8, so that all its coefficients are kept.
    ///   - runComponents: the same components, with the scales at which they were read the first time.
    init(_ components: [ScanLayout.Component], runComponents: [InterleavedBlocks.Component]) {
        scan = ScanLayout(components, restartInterval: 0)
        unit = InterleavedBlocks(components: scan.components, capacity: 1)
        spare = InterleavedBlocks(components: runComponents, capacity: 1)
        lane = EntropyLane(
            at: UnsafePointer(bitPattern: 8).unsafelyUnwrapped, states: scan.states, output: unit.unit(0))
    }

    /// Forgets the run of minimum coded units that is being read again, and the position in its data. This function
    /// must be called whenever a run has been filled with other units.
    func forget() { run = nil }

    /// Reads a minimum coded unit a second time, now with all its coefficients. `index` is the unit's index in `run`,
    /// the neighbouring units that were read together the first time. The blocks are returned in the same order as in
    /// `run`. In place of a DC coefficient, each block has the difference from the DC coefficient of the component's
    /// previous block. The result is valid until the next call.
    ///
    /// - Returns: nil if the run has no trail (a copy of the data from which it was read), or if the unit cannot be
    ///   found in the trail.
    func read(_ index: Int, of run: InterleavedBlocks) -> InterleavedBlocks? {
        guard let trail = run.trail else { return nil }
        return trail.bytes.withUnsafeBufferPointer { bytes in
            let base = Int(bitPattern: bytes.baseAddress)
            guard seek(to: index, of: run, trail, base) else { return nil }
            while next <= index {
                unit.clear(to: unit.unit(1))
                guard finish(&lane, into: unit.unit(0), end: unit.unit(1), base) else {
                    self.run = nil
                    return nil
                }
                next += 1
            }
            return unit
        }
    }

    /// Moves `lane`, the decoder of entropy-coded data, to the start of the minimum coded unit with the index `index`,
    /// or to the start of an earlier unit. `next` is set to the index of that unit. The caller must then read from
    /// there up to the wanted unit.
    ///
    /// - Parameter base: the address of the first byte of `trail`, the copy of the data of `run`.
    /// - Returns: false if no position before the unit is recorded in `trail`. False also if the data after the
    ///   recorded position cannot be read.
    private func seek(to index: Int, of run: InterleavedBlocks, _ trail: EntropyTrail, _ base: Int) -> Bool {
        guard let mark = trail.mark(before: index * run.unitSampleCount) else { return false }
        let first = mark.offset / run.unitSampleCount
        if self.run === run, next <= index, next > first { return true }
        let place = mark.offset % run.unitSampleCount
        var own = EntropyLane(mark, states: trail.states, output: spare.unit(0) + place)
        self.run = nil
        if place > 0 || !own.isBetweenUnits {
            guard finish(&own, into: spare.unit(0) + place, end: spare.unit(1), base) else { return false }
            next = first + 1
        } else {
            next = first
        }
        lane = own.reading(by: scan.states)
        self.run = run
        return next <= index
    }

    private func finish(
        _ lane: inout EntropyLane, into output: UnsafeMutablePointer<Int16>, end: UnsafeMutablePointer<Int16>,
        _ base: Int
    ) -> Bool {
        lane.move(by: base)
        lane.write(to: output)
        lane.bound(limit: .max, end: end)
        let stop = lane.finish(scan.codes)
        lane.move(by: -base)
        return stop == .done
    }
}
