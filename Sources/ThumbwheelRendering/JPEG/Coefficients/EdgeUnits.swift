/// Reads units of a sequential scan a second time, with all their coefficients.
final class EdgeUnits {
    private let scan: ScanLayout
    /// Room for a unit with all its coefficients (`unit`), and for a unit as the run stores it (`spare`).
    private let unit: InterleavedBlocks
    private let spare: InterleavedBlocks

    // The run that is being read, the number of the next unit in it, and the lane that stands before that unit. The lane's
    // address counts bits of the trail.
    private var run: InterleavedBlocks?
    private var next = 0
    private var lane: EntropyLane

    /// - Parameters:
    ///   - components: the scan's components, at full scale if their coefficients are wanted.
    ///   - runComponents: the components of the runs whose units are read.
    init(_ components: [ScanLayout.Component], runComponents: [InterleavedBlocks.Component]) {
        scan = ScanLayout(components, restartInterval: 0)
        unit = InterleavedBlocks(components: scan.components, capacity: 1)
        spare = InterleavedBlocks(components: runComponents, capacity: 1)
        lane = EntropyLane(
            at: UnsafePointer(bitPattern: 8).unsafelyUnwrapped, states: scan.states, output: unit.unit(0))
    }

    /// Forgets the run that is being read. Must be called whenever the contents of a run have changed.
    func forget() { run = nil }

    /// Reads all coefficients of a unit: its blocks in the run's order, with DC differences, valid until the next call.
    ///
    /// - Returns: nil if the run has no trail that leads to the unit.
    func read(_ index: Int, of run: InterleavedBlocks) -> InterleavedBlocks? {
        guard let trail = run.trail else { return nil }
        return trail.bytes.withUnsafeBufferPointer { bytes in
            let base = Int(bitPattern: bytes.baseAddress)
            guard stand(before: index, of: run, trail, base) else { return nil }
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

    /// Moves the lane to the start of a unit, or of a unit shortly before it.
    private func stand(before index: Int, of run: InterleavedBlocks, _ trail: EntropyTrail, _ base: Int) -> Bool {
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
