/// Reads the entropy-coded data of a file with one scan, a run of minimum coded units at a time. The scan holds all
/// components interleaved, or the only component.
///
/// The data are divided into parts. Several parts are read at the same time, some steps of each by turns. Each has its own reader, a lane (`EntropyLane`). A
/// part begins at a restart marker, or at any byte with the guess that a unit begins there.
/// - A lane that began at a wrong guess synchronises with the true units after some dozens of bytes.
/// - The lane of the part before may come to a position where the guessing lane began a unit. Both lanes would read the
///   same from there on, because DC coefficients are differences that are summed up later. So the units from there on
///   are taken from the guessing lane.
/// - If the lane of the part before comes to no such position, it goes on as if it were the only lane.
///
/// So the number of lanes changes the time, never the result.
final class SingleScanReader {
    /// Decides where parts of the data begin.
    struct Splitting {
        /// The number of bytes that must be left in the window for another part to begin.
        var minimumByteCount: Int
        /// Chooses the next part's start among the bytes behind the start of the part before; nil for equal parts.
        var place: ((Range<Int>) -> Int)?

        /// Equal parts. They are large enough to repay the search for the place where they join the part before, and
        /// small enough for every lane to have one.
        static var even: Splitting { Splitting(minimumByteCount: 4 << 10) }
        /// No further parts: one lane reads all data.
        static var none: Splitting { Splitting(minimumByteCount: .max) }
    }

    /// The number of lanes read in turn: the most chains of loads that the processor can follow at once without running out
    /// of registers.
    private static let laneCount = 3
    /// The most parts that have begun and not been handed out. It exceeds the number of lanes, because the first part may
    /// be the last to be ready.
    private static let partCount = 6
    private static let partByteCounts = 4 << 10...14 << 10
    private static let windowByteCount = 160 << 10
    // The number of bytes that must be left in the window behind the last part's position. With fewer, the window is
    // moved and refilled. A small number makes that rare, which saves time.
    private static let leastByteCount = 24 << 10
    /// The number of bytes for the coefficients of one part's run. The runs of all parts together fit into the
    /// second-level cache.
    private static let runByteCount = 96 << 10
    /// The number of units, and of bytes, within which a lane that began at a guess must have synchronised with the
    /// true units.
    static let patience = (units: 512, bytes: 2048)

    let window: EntropyWindow
    let scan: ScanLayout
    private let splitting: Splitting
    private let capacity: Int
    // The part whose units come next, followed by the later parts that have begun, in order, then by idle parts.
    private(set) var parts: [ScanFront]
    private var activeCount = 1
    // `isHandedOut` tells whether the first part's run has been handed out, `hasJoined` whether the second part goes on
    // where that run ended.
    private var isHandedOut = false
    private var hasJoined = false
    private var partByteCount = 0
    // Room for one unit whose coefficients are not used, while only its end is looked for.
    let scratch: InterleavedBlocks

    // `ahead` is the part that a helper thread reads. `hasJoinedAhead` tells whether the next units are the helper
    // thread's. `skippedAhead` counts the units at the start of the helper thread's first run that do not count; nil
    // once that run has been taken.
    var ahead: ScanAhead?
    var hasJoinedAhead = false
    var skippedAhead: Int?

    var damage: ScanFront.Damage? {
        if hasJoinedAhead { return ahead?.damage }
        return hasJoined ? nil : parts[0].damage
    }

    /// - Parameters:
    ///   - input: the file, whose next byte must be the first one behind the scan header.
    ///   - keepsTrails: whether some units of the runs that the scan hands out will be read a second time.
    init(
        _ input: JPEGInput, components: [ScanLayout.Component], restartInterval: Int, splitting: Splitting,
        keepsTrails: Bool = false
    ) {
        scan = ScanLayout(components, restartInterval: restartInterval, keepsTrails: keepsTrails)
        // If the rest of the file is small, the capacity is one byte more than the rest, so that the first filling
        // already shows the scan's end.
        window = EntropyWindow(input, capacity: min(Self.windowByteCount, input.byteCount - input.position + 1))
        capacity = max(32, min(2048, Self.runByteCount / (2 * scan.states.unitSampleCount)))
        self.splitting = splitting
        parts = [ScanFront(window, scan: scan, capacity: capacity)]
        scratch = InterleavedBlocks(components: scan.components, capacity: 1)
    }

    /// Reads units into a run that is valid until the next call.
    ///
    /// - Parameters:
    ///   - wanted: the most units to look for. Fewer are returned if the run is full, a later part follows or damage
    ///     ends the scan. More may be returned if a later part's run already holds them.
    ///   - keepsCoefficients: false if only the DC coefficients are wanted.
    func next(_ wanted: Int, keepsCoefficients: Bool) throws(RenderError) -> InterleavedBlocks {
        if hasJoinedAhead, let ahead {
            defer { skippedAhead = nil }
            return try ahead.next(wanted, keepsCoefficients: keepsCoefficients, skipping: skippedAhead)
        }
        try fillRun(wanted, keepsCoefficients: keepsCoefficients)
        parts[0].endTrail()
        return parts[0].run
    }

    /// Reads units into the first part's run, until it holds `wanted` units or has no room, a later part joins, or
    /// damage is found.
    private func fillRun(_ wanted: Int, keepsCoefficients: Bool) throws(RenderError) {
        if hasJoined {
            drop(0)
            parts[0].finishUnit()
            hasJoined = false
        } else if isHandedOut || !keepsCoefficients {
            parts[0].rewind(keepsCoefficients: keepsCoefficients)
        }
        isHandedOut = true
        let most = max(parts[0].run.count, min(wanted, parts[0].run.capacity))
        while parts[0].damage == nil {
            if activeCount > 1, parts[0].hasArrived(at: parts[1].start) {
                switch meet(most) {
                case .joined:
                    hasJoined = true
                    return
                case .full: return
                case .failed: drop(1)
                }
                continue
            }
            if activeCount == 1, let place = placeAhead, parts[0].hasArrived(at: place) {
                switch meetAhead(at: place, most) {
                case .joined, .full: return
                case .failed: endAhead()
                }
                continue
            }
            if parts[0].run.count >= most { break }
            try refill()
            split()
            advance(most)
        }
    }

    /// Reads on in the first parts that are not done, up to three of them in turn, until one of them is done.
    private func advance(_ most: Int) {
        for index in 0..<activeCount {
            if index > 0 { parts[index].guessAgain() }
            // Only the first part knows how many units the scan still has. Other parts must not look for units behind the
            // last one, so they stop earlier.
            let last = min(placeAhead ?? .max, index == 0 ? windowEnd : windowEnd - 64)
            parts[index].prepare(
                index == 0 ? most : parts[index].run.capacity,
                bound: index + 1 < activeCount ? parts[index + 1].start : last)
        }
        let running = parts[..<activeCount].lazy.filter { !$0.isDone }.prefix(Self.laneCount)
        let lanes = Array(running)
        switch lanes.count {
        case 3: ScanFront.advance(lanes[0], lanes[1], lanes[2])
        case 2: ScanFront.advance(lanes[0], lanes[1])
        case 1: lanes[0].advance()
        // All data have been read, but units are missing. Reading one more unit records that as damage.
        default: parts[0].readUnit()
        }
    }

    /// The place in the window before which units may begin. Such units do not run out of the window's bytes, unless
    /// the scan's data end within them.
    private var windowEnd: Int { window.endsScan ? window.count : window.count - EntropyWindow.slack }

    // MARK: The parts ahead

    func refill() throws(RenderError) {
        guard !window.endsScan else { return }
        let left = window.count - parts[activeCount - 1].bitPosition / 8
        guard left < Self.leastByteCount else { return }
        parts[0].keepData()
        let offset = parts[0].bitPosition / 8
        let passed = parts[0].markerCount
        try window.advance(to: offset, passing: passed)
        for part in parts[..<activeCount] { part.move(by: offset, passing: passed) }
    }

    private func split() {
        let end = min(windowEnd, placeAhead ?? .max)
        while activeCount < Self.partCount, splitting.minimumByteCount < .max {
            let last = parts[activeCount - 1]
            let first = max(last.bitPosition / 8, last.start) + 1
            guard end - first >= splitting.minimumByteCount else { return }
            if activeCount == 1 {
                let share = (end - first) / Self.laneCount + 1
                partByteCount = min(max(share, Self.partByteCounts.lowerBound), Self.partByteCounts.upperBound)
            }
            var start = splitting.place?(first..<end) ?? first + partByteCount
            var markerCount = last.markerCount
            if scan.restartInterval > 0 {
                guard let index = window.markers.firstIndex(where: { $0 >= start }), index >= markerCount else {
                    return
                }
                start = window.markers[index]
                markerCount = index + 1
            }
            guard start >= first, start < end else { return }
            if activeCount == parts.count { parts.append(ScanFront(window, scan: scan, capacity: capacity)) }
            parts[activeCount].begin(at: start, behind: markerCount)
            activeCount += 1
        }
    }

    private func drop(_ index: Int) {
        parts.append(parts.remove(at: index))
        activeCount -= 1
    }

    enum Meeting {
        case joined, failed
        /// The first part's run already holds as many units as it may.
        case full
    }

    /// Reads on in the first part until its lane stands where the second part's lane began a unit, or must have missed
    /// all such places. To find these places, the second part's units are read again without being kept.
    private func meet(_ most: Int) -> Meeting {
        let (front, back) = (parts[0], parts[1])
        if scan.restartInterval > 0 {
            guard front.isBeforeMarker(at: back.start) else { return .failed }
            back.run.start = 0
            return .joined
        }
        var trace = EntropyLane(
            at: window.bytes + back.start, states: scan.statesOfDifferences, output: scratch.unit(0))
        var count = 0
        while true {
            if front.damage != nil || front.bitPosition > (back.start + Self.patience.bytes) * 8 { return .failed }
            let place = front.lane.address
            if place > back.lane.address || count > Self.patience.units { return .failed }
            if place == trace.address {
                back.run.start = count
                return .joined
            }
            if place < trace.address {
                guard front.run.count < most else { return .full }
                front.readUnit()
            } else {
                trace.write(to: scratch.unit(0))
                trace.bound(limit: .max, end: scratch.unit(1))
                guard trace.finish(scan.codes) == .done else { return .failed }
                count += 1
            }
        }
    }
}
