/// One part of a scan's data while it is being decoded. It consists of a decoder of the data, called the lane; a run of
/// minimum coded units, which are the lane's output; and the lane's position among the restart intervals.
final class ScanPart {
    /// A reason why the rest of a scan cannot be read.
    enum Damage: Error {
        /// The data end before the image is complete.
        case truncated
        case malformed(reason: String)
    }

    let run: InterleavedBlocks
    private(set) var lane: EntropyLane
    /// The number of restart markers in the buffered data that this part's decoder, `lane`, has passed.
    private(set) var markerCount = 0
    private(set) var damage: Damage?
    /// Whether this part's decoder, `lane`, must stop: it has found damage, or has reached one of the two limits that
    /// `prepare` sets.
    private(set) var isDone = false
    /// The offset in the buffered data at which this part's decoder, `lane`, began.
    private(set) var start = 0

    /// The number of times that reading began again at another byte, because the data matched no code.
    private var guessCount = 0
    static let attemptLimit = 8

    private let window: EntropyWindow
    private let scan: ScanLayout
    // The trail of `run` is a copy of the data from which the run was read. The data before this offset in the buffer
    // have been copied to the trail.
    private var trailEnd = 0
    // The number of minimum coded units in `run` at which the current restart interval ends.
    private var intervalEnd = Int.max
    // The offset in the buffered data up to which this part may be read at present. Each call of `prepare` sets it
    // anew.
    private var bound = 0
    // Reading stops when `run` contains this number of minimum coded units. Units that were in `run` before reading
    // began are counted too.
    private var wanted = 0

    init(_ window: EntropyWindow, scan: ScanLayout, capacity: Int) {
        self.window = window
        self.scan = scan
        run = InterleavedBlocks(components: scan.components, capacity: capacity)
        lane = EntropyLane(at: window.bytes, states: scan.states, output: run.unit(0))
        if scan.restartInterval > 0 { intervalEnd = scan.restartInterval }
        beginTrail(scan.states)
    }

    /// The position of this part's decoder, `lane`, in bits from the start of the buffered data.
    var bitPosition: Int { Int(lane.address &- UInt(bitPattern: window.bytes) &* 8) }

    /// Empties `run`. This part's decoder, `lane`, goes on at its current position in the data. The minimum coded units
    /// that it decodes next go into the run's memory from its start.
    ///
    /// - Parameter keepsCoefficients: whether AC coefficients are wanted besides the DC coefficients.
    func rewind(keepsCoefficients: Bool) {
        if intervalEnd < .max { intervalEnd -= run.count }
        run.clear(to: lane.output)
        let states = keepsCoefficients ? scan.states : scan.statesOfDifferences
        lane = lane.reading(by: states)
        lane.write(to: run.unit(0))
        beginTrail(states)
    }

    /// Begins again at a byte of the buffered data at which a minimum coded unit begins, or is guessed to begin.
    ///
    /// - Parameter markerCount: the number of restart markers before that byte.
    func begin(at offset: Int, behind markerCount: Int) {
        run.clear(to: lane.output)
        damage = nil
        guessCount = 0
        start = offset
        self.markerCount = markerCount
        intervalEnd = scan.restartInterval > 0 ? scan.restartInterval : .max
        lane = EntropyLane(at: window.bytes + offset, states: scan.states, output: run.unit(0))
        if scan.restartInterval > 0 { run.resets.append(0) }
        beginTrail(scan.states)
    }

    /// Tries another start if a guessed start of a minimum coded unit was wrong. It was wrong if the data match no code
    /// soon after it. The next guess is that a unit begins a few bytes later. The number of guesses is limited, because
    /// a file can be made such that every guess fails.
    func guessAgain() {
        guard scan.restartInterval == 0, damage != nil, bitPosition / 8 - start < 512 else { return }
        guard guessCount < Self.attemptLimit, bitPosition / 8 + 1 < bound else { return }
        let guesses = guessCount + 1
        begin(at: bitPosition / 8 + 1, behind: markerCount)
        guessCount = guesses
    }

    /// Adapts all positions to a buffer whose first `offset` bytes were dropped. These bytes contained `passed` restart
    /// markers.
    func move(by offset: Int, passing passed: Int) {
        lane.move(by: -offset)
        start -= offset
        trailEnd -= offset
        markerCount -= passed
    }

    private var nextMarker: Int? { markerCount < window.markers.count ? window.markers[markerCount] : nil }

    /// The end of the data of the current restart interval, as an offset in the buffered data; nil if that end is not
    /// in the buffer yet.
    private var dataEnd: Int? { nextMarker ?? (window.endsScan ? window.count : nil) }

    /// Sets two limits. Reading stops when one of them is reached.
    ///
    /// - Parameters:
    ///   - wanted: the number of minimum coded units in the run, including those that it already contains.
    ///   - bound: an offset in the buffered data.
    func prepare(_ wanted: Int, bound: Int) {
        self.wanted = wanted
        self.bound = bound
        isDone = damage != nil || run.count >= wanted || hasArrived(at: bound)
        if !isDone { setBounds() }
    }

    /// Whether this part's decoder has decoded all minimum coded units before the byte at an offset of the buffered
    /// data. There are two cases:
    /// - The decoder has reached this byte.
    /// - A restart interval is complete, and the next interval begins at this byte or after it. No unit lies between
    ///   the two intervals.
    func hasArrived(at byte: Int) -> Bool {
        if bitPosition >= byte * 8 { return true }
        // After the last unit of a restart interval, a restart marker is expected in the next 8 bytes. If the next
        // marker is farther away, there are unexpected data before it. They are decoded as units, so the decoder has
        // not arrived yet.
        guard run.count == intervalEnd, let nextMarker, isNear(nextMarker) else { return false }
        return nextMarker >= byte
    }

    /// Whether this part's decoder must pass the restart marker at the offset `byte` now. That is so if a restart
    /// interval is complete, and this marker is the first one ahead of the decoder and at most 8 bytes away.
    func isBeforeMarker(at byte: Int) -> Bool {
        run.count == intervalEnd && nextMarker == byte && isNear(byte) && damage == nil
    }

    /// Whether at most 8 bytes of data are left before a marker. So few bytes may be mere padding. If more are left,
    /// minimum coded units were lost, or the marker is not genuine.
    private func isNear(_ marker: Int) -> Bool { marker - (bitPosition + 7) / 8 <= 8 }

    private func setBounds() {
        if run.count == intervalEnd { restart() }
        if damage != nil {
            isDone = true
            return
        }
        let last = min(bound, dataEnd ?? .max)
        lane.bound(limit: UInt(bitPattern: window.bytes + last) &* 8, end: run.unit(min(wanted, intervalEnd)))
    }

    /// Begins the next restart interval. If a restart marker is at most 8 bytes ahead, reading goes on after the
    /// marker. If not, reading goes on at the current byte. If the scan's data have ended before the current byte, the
    /// scan counts as damaged.
    private func restart() {
        intervalEnd += scan.restartInterval
        let place = (bitPosition + 7) / 8
        if let marker = nextMarker, isNear(marker) {
            markerCount += 1
            lane.restart(at: window.bytes + marker)
            run.resets.append(run.count)
            mark(lane.mark(from: run.unit(0)))
        } else if window.endsScan, window.count <= place {
            damage = .truncated
        }
    }

    /// Stores the state that this part's decoder has after a fast loop, and decodes the rest up to the next limit. The
    /// loop makes no checks, so it stops well before a limit. The rest is decoded with checks, to the end of the
    /// minimum coded unit at which the limit is reached. If a restart interval ends there, the decoder moves into the
    /// next interval.
    ///
    /// - Parameters:
    ///   - advanced: the decoder as the loop has left it.
    ///   - isValid: false if the next data match no code.
    func settle(_ advanced: EntropyLane, isValid: Bool = true) {
        var lane = advanced
        count(isValid ? lane.finish(scan.codes) : .invalid, at: lane)
        if !isDone, run.count < intervalEnd, dataEnd.map({ $0 * 8 == bitPosition }) == true {
            // The data have ended exactly after a minimum coded unit, but more units should follow. An attempt to read
            // one more unit fails, and so records the damage.
            readUnit()
        } else if !isDone {
            setBounds()
        }
    }

    /// Updates the number of minimum coded units in the run, and finds out whether damage or a limit has ended the
    /// reading.
    private func count(_ stop: EntropyLane.Stop, at lane: EntropyLane) {
        self.lane = lane
        run.count = unitCount
        if let end = dataEnd, bitPosition > end * 8 {
            if stop != .invalid { run.count = max(0, run.count - 1) }
            damage = nextMarker == nil ? .truncated : .malformed(reason: "a restart interval cut short")
        } else if stop == .invalid {
            damage = .malformed(reason: "entropy-coded data that no code fits")
        }
        isDone = damage != nil || run.count >= wanted || hasArrived(at: bound)
    }

    private var unitCount: Int { run.unit(0).distance(to: lane.output) / run.unitSampleCount }

    /// Stores the new state of this part's decoder, `lane`, after a loop has advanced the decoders of several parts
    /// alternately.
    func leave(_ lane: EntropyLane) { self.lane = lane }

    /// Reads this part of the data, and no other part, until one of two things happens: the decoder reaches a limit
    /// that `prepare` set, or it finds damaged data.
    func advance() {
        while !isDone {
            // A local copy is used, because Swift would check exclusive access to the property during each call that
            // changes it.
            var lane = lane
            let isValid = lane.run(scan.codes)
            settle(lane, isValid: isValid)
        }
        takeMarks(0)
    }

    /// Reads two parts of the data alternately, until one of them has reached a limit or damaged data.
    static func advance(_ first: ScanPart, _ second: ScanPart) {
        var (one, two) = (first.lane, second.lane)
        while true {
            let invalid = EntropyLane.run(&one, &two, first.scan.codes)
            first.turn(&one, isValid: invalid != 0)
            second.turn(&two, isValid: invalid != 1)
            if first.isDone || second.isDone { break }
        }
        first.leave(one)
        second.leave(two)
        first.takeMarks(0)
        second.takeMarks(1)
    }

    /// Reads three parts of the data alternately, until one of them has reached a limit or damaged data.
    static func advance(_ first: ScanPart, _ second: ScanPart, _ third: ScanPart) {
        var (one, two, three) = (first.lane, second.lane, third.lane)
        while true {
            let invalid = EntropyLane.run(&one, &two, &three, first.scan.codes)
            first.turn(&one, isValid: invalid != 0)
            second.turn(&two, isValid: invalid != 1)
            third.turn(&three, isValid: invalid != 2)
            if first.isDone || second.isDone || third.isDone { break }
        }
        first.leave(one)
        second.leave(two)
        third.leave(three)
        first.takeMarks(0)
        second.takeMarks(1)
        third.takeMarks(2)
    }

    @inline(__always)
    private func turn(_ lane: inout EntropyLane, isValid: Bool) {
        if isValid, lane.isSafe { return }
        settle(lane, isValid: isValid)
        lane = self.lane
    }

    /// Reads one minimum coded unit, even if the data end within it.
    func readUnit() {
        if run.count == intervalEnd { restart() }
        guard damage == nil else { return }
        wanted = run.count + 1
        var lane = lane
        lane.bound(limit: .max, end: run.unit(wanted))
        let stop = lane.finish(scan.codes)
        count(stop, at: lane)
    }

    /// Reads to the end of the current minimum coded unit.
    func finishUnit() {
        guard damage == nil else { return }
        run.count = unitCount
        if !lane.isBetweenUnits { readUnit() }
    }
}

// MARK: - Copying the data for a second reading

extension ScanPart {
    private func beginTrail(_ states: ScanStates) {
        guard scan.codes.marks != nil else { return }
        trailEnd = bitPosition / 8
        run.trail = EntropyTrail(states)
        mark(lane.mark(from: run.unit(0)))
    }

    /// Adds a mark to the trail of `run`. The trail is a copy of the data from which the run was read. A mark is a
    /// position from which reading can start again. The given mark has an address in the buffered data. The added mark
    /// has a position in the trail instead of this address.
    private func mark(_ mark: EntropyTrail.Mark) {
        guard run.trail != nil else { return }
        var mark = mark
        let first = UInt(bitPattern: window.bytes) &+ UInt(bitPattern: trailEnd - run.trail!.bytes.count)
        mark.address &-= first &* 8
        run.trail?.append(mark)
    }

    private func takeMarks(_ number: Int) {
        guard let marks = scan.codes.marks else { return }
        for each in marks.take(number, from: run.unit(0)) { mark(each) }
    }

    /// Copies the entropy-coded data of `run` to the run's trail, so that some of its units can be read again. Must be
    /// called before these data are removed from the buffer.
    func keepData() {
        guard run.trail != nil else { return }
        let end = (bitPosition + 7) / 8
        guard end > trailEnd else { return }
        run.trail?.append(UnsafeBufferPointer(start: window.bytes + trailEnd, count: end - trailEnd))
        trailEnd = end
    }

    /// Copies the rest of the data of `run` to the run's trail, and adds the zero bytes that must follow them. A trail
    /// is a copy of the entropy-coded data from which a run of minimum coded units was read. Must be called when the
    /// run is handed out.
    func endTrail() {
        keepData()
        run.trail?.end()
    }
}
