/// A lane of a scan, with the run that it fills and its place among the restart intervals.
final class ScanFront {
    /// What keeps a scan from going on.
    enum Damage: Error {
        /// The data end before the image does.
        case truncated
        case malformed(reason: String)
    }

    /// Places of units that are remembered: as far as a start by guess may have to run until it falls into step.
    static let traceCapacity = 512

    let cursors: ScanCursors
    var lane: EntropyLane
    /// Units before the next restart.
    private(set) var intervalLeft = Int.max
    /// Restart markers of the window that it has passed.
    private(set) var markerCount = 0
    private(set) var damage: Damage?
    /// Where its units began, in bits of the address space, since `begin`.
    let trace: UnsafeMutablePointer<UInt>

    private let window: EntropyWindow
    private let restartInterval: Int
    private let codes: UnsafeMutableBufferPointer<HuffmanCode>

    init(_ window: EntropyWindow, components: [ScanCursors.Component], capacity: Int, restartInterval: Int) {
        self.window = window
        self.restartInterval = restartInterval
        cursors = ScanCursors(components: components, capacity: capacity)
        trace = .allocate(capacity: Self.traceCapacity)
        trace.initialize(repeating: 0, count: Self.traceCapacity)
        codes = .allocate(capacity: 2 * components.count)
        _ = codes.initialize(from: cursors.codes)
        lane = EntropyLane(at: window.bytes, cursors: cursors.buffer, trace: trace)
        intervalLeft = restartInterval > 0 ? restartInterval : .max
    }

    deinit {
        codes.deinitialize()
        codes.deallocate()
        trace.deallocate()
    }

    var run: CoefficientRun { cursors.run }
    /// Bits of the window that it has read.
    var bitPosition: Int { Int(lane.bitAddress &- UInt(bitPattern: window.bytes) &* 8) }
    /// Whether its next unit begins with a restart.
    var isAtRestart: Bool { intervalLeft == 0 }

    /// Empties the run.
    func rewind(keepsCoefficients: Bool) {
        cursors.rewind(keepsCoefficients: keepsCoefficients)
        lane.rewind()
    }

    /// Starts anew, at a byte of the window where a unit begins, or may begin.
    ///
    /// - Parameter markerCount: of the restart markers before it.
    func begin(at offset: Int, behind markerCount: Int) {
        rewind(keepsCoefficients: true)
        damage = nil
        self.markerCount = markerCount
        intervalLeft = restartInterval > 0 ? restartInterval : .max
        lane.restart(at: window.bytes + offset)
        lane.traceCount = Self.traceCapacity
        trace[0] = lane.bitAddress
        if restartInterval > 0 { run.resets.append(0) }
    }

    /// Drops what it has read from the window, which must have no other user, and fills that up.
    func fill() throws(RenderError) {
        let offset = bitPosition / 8
        try window.advance(to: offset, passing: markerCount)
        markerCount = 0
        lane.move(by: -offset)
    }

    /// Goes on behind the restart marker that is due. Where there is none, data go on without one.
    func restart() {
        intervalLeft = restartInterval
        let place = (bitPosition + 7) / 8
        if let marker = nextMarker, marker - place <= 8 {
            markerCount += 1
            lane.restart(at: window.bytes + marker)
            run.resets.append(run.count)
        } else if window.endsScan, window.count <= place {
            damage = .truncated
        }
    }

    private var nextMarker: Int? { markerCount < window.markers.count ? window.markers[markerCount] : nil }

    /// Where the data of its interval end, if that is in the window.
    private var end: Int? { nextMarker ?? (window.endsScan ? window.count : nil) }

    /// Sets how far its lane is to run.
    ///
    /// - Parameters:
    ///   - wanted: units of the run, those that it has included.
    ///   - bound: the byte to stop at, if nothing else comes first.
    func prepare(_ wanted: Int, bound: Int) {
        // The only unit of those read that may have run over the end is then the last.
        let last = min(bound, end ?? window.count - EntropyWindow.slack)
        lane.limit = UInt(bitPattern: window.bytes + last) &* 8
        lane.wantedCount = lane.unitCount + min(wanted - lane.unitCount, intervalLeft)
    }

    /// Runs its lane alone.
    func advance() {
        // A copy, because a property that is being changed by a call is watched all the while.
        var lane = lane
        let stop = lane.run(codes.baseAddress!)
        self.lane = lane
        settle(stop)
    }

    /// Runs its lane and another's in turn.
    ///
    /// - Returns: whether the other one stopped.
    func advance(with other: ScanFront) -> Bool {
        var (one, two) = (lane, other.lane)
        let (stop, isSecond) = EntropyLane.run(&one, &two, codes.baseAddress!)
        lane = one
        other.lane = two
        settle(isSecond ? nil : stop)
        other.settle(isSecond ? stop : nil)
        return isSecond
    }

    /// Counts the units that were read, and looks why no more were; nil where nothing but another lane stopped it.
    private func settle(_ stop: EntropyLane.Stop?) {
        var count = lane.unitCount
        if let stop, let end, bitPosition > end * 8 {
            if stop != .invalid { count -= 1 }
            damage = nextMarker == nil ? .truncated : .malformed(reason: "a restart interval cut short")
        } else if stop == .invalid {
            damage = .malformed(reason: "entropy-coded data that no code fits")
        }
        if restartInterval > 0 { intervalLeft -= count - run.count }
        run.count = count
    }

    /// Reads to the end of the unit that it is in.
    func finishUnit() {
        guard !lane.isBetweenUnits else { return }
        lane.wantedCount = lane.unitCount + 1
        advance()
    }
}
