/// Reads the entropy-coded data of an interleaved sequential scan, or of a single component's, run by run.
final class SequentialScan {
    /// What keeps a scan from going on.
    enum Damage: Error {
        /// The data end before the image does.
        case truncated
        case malformed(reason: String)
    }

    private let window: EntropyWindow
    private let cursors: ScanCursors
    private let codes: UnsafeMutableBufferPointer<HuffmanCode>
    private let restartInterval: Int
    private var lane: EntropyLane
    // Units before the next restart; counts on without restarts too.
    private var intervalLeft: Int
    /// What was met behind the last run.
    private(set) var damage: Damage?

    /// Units of a run: few enough for their coefficients to stay in the cache.
    static let runCapacity = 256

    /// - Parameter input: its next byte is the first behind the scan header.
    init(_ input: JPEGInput, components: [ScanCursors.Component], restartInterval: Int) throws(RenderError) {
        window = EntropyWindow(input)
        cursors = ScanCursors(components: components, capacity: Self.runCapacity)
        codes = .allocate(capacity: 2 * components.count)
        _ = codes.initialize(from: cursors.codes)
        self.restartInterval = restartInterval
        intervalLeft = restartInterval > 0 ? restartInterval : .max
        lane = EntropyLane(at: window.bytes, cursors: cursors.buffer)
        try window.advance(to: 0)
    }

    deinit {
        codes.deinitialize()
        codes.deallocate()
    }

    /// Reads units into a run that is valid until the next call.
    ///
    /// - Parameter wanted: how many at most. Fewer come where the run is full, and where damage ends the scan.
    func next(_ wanted: Int, keepsCoefficients: Bool) throws(RenderError) -> CoefficientRun {
        cursors.rewind(keepsCoefficients: keepsCoefficients)
        let run = cursors.run
        while run.count < min(wanted, run.capacity), damage == nil {
            if intervalLeft == 0 { try restart() }
            if damage == nil { try read(min(wanted, run.capacity) - run.count) }
        }
        return run
    }

    private var bitPosition: Int { lane.position(from: window.bytes) }

    /// Makes sure that a unit's data, and a marker behind it, are in the window.
    private func fill() throws(RenderError) {
        let offset = bitPosition / 8
        guard !window.endsScan, window.count - offset < 2 * EntropyWindow.slack else { return }
        // The lane may have read up to eight bytes ahead, which stay behind its position.
        try window.advance(to: offset)
        lane.move(by: -offset)
    }

    private func read(_ wanted: Int) throws(RenderError) {
        try fill()
        let end = window.nextMarker ?? (window.endsScan ? window.count : nil)
        // Near the end, unit by unit: what runs over it is not taken.
        let isNearEnd = end.map { $0 - bitPosition / 8 < 32 } ?? false
        lane.limit = window.bytes + (isNearEnd ? 0 : end.map { $0 - 16 } ?? window.count - EntropyWindow.slack)
        lane.beginCount()
        lane.wantedCount = isNearEnd ? 1 : min(wanted, intervalLeft)
        let stop = lane.run(codes.baseAddress!)
        var count = lane.unitCount
        let hasOverrun = end.map { bitPosition > $0 * 8 } ?? false
        if hasOverrun {
            count -= stop == .invalid ? 0 : 1
            damage = window.nextMarker == nil ? .truncated : .malformed(reason: "a restart interval cut short")
        } else if stop == .invalid {
            damage = .malformed(reason: "entropy-coded data that no code fits")
        }
        cursors.run.count += count
        if restartInterval > 0 { intervalLeft -= count }
    }

    /// Goes on behind the restart marker that is due. Where there is none, data go on without one.
    private func restart() throws(RenderError) {
        try fill()
        intervalLeft = restartInterval
        let place = (bitPosition + 7) / 8
        if let marker = window.nextMarker, marker - place <= 8 {
            window.passMarker()
            lane.restart(at: window.bytes + marker)
            cursors.run.resets.append(cursors.run.count)
        } else if window.endsScan, window.count - place <= 0 {
            damage = .truncated
        }
    }
}
