/// Reads the entropy-coded data of a file with one scan, a run of minimum coded units at a time. The scan contains all
/// components interleaved, or the only component.
///
/// The data are divided into parts, and several parts are decoded alternately. Each part has its own decoder, called a
/// lane (`EntropyLane`). A part begins at a restart marker. In data without such markers, a part begins at any byte,
/// with the guess that a minimum coded unit begins there.
/// - A lane whose guess is wrong reads invalid units at first. After a few dozen bytes, it happens to find the start of
///   a real unit, and all its further units are valid.
/// - A lane reads on from its own part into the next part. There it may reach a position where the next part's lane
///   began a unit. From this position on, both lanes would read the same, because DC coefficients are differences that
///   are summed up later. So the units from this position on are taken from the next part's lane.
/// - If a lane reaches no such position in the next part, it reads that part as well, as if it were the only lane.
///
/// So the number of lanes changes the time, but never the result.
final class SingleScanReader {
    /// The rules by which the scan's data are divided into parts. The parts are decoded alternately, each by its own
    /// decoder.
    struct Splitting {
        /// The last part is not split if fewer than this number of bytes follow its reading position in the buffer.
        var minimumByteCount: Int
        /// A function that chooses the offset at which the next part begins. The offset must lie in the given range of
        /// the buffered data. If there is no function, all parts have equal lengths.
        var place: ((Range<Int>) -> Int)?

        /// Divides the data into parts of equal length. The last part is divided if at least 4 KiB follow its reading
        /// position. There are two reasons for this size:
        /// - At the border of two parts, some bytes are decoded twice, by the decoders of both parts. 4 KiB are many
        ///   times as much.
        /// - 4 KiB are so little that the buffer contains a part for every decoder.
        static var even: Splitting { Splitting(minimumByteCount: 4 << 10) }
        /// Does not divide the data: a single decoder goes through them from start to end.
        static var none: Splitting { Splitting(minimumByteCount: .max) }
    }

    /// The number of parts that are decoded alternately, each by its own decoder (lane). The processor can follow this
    /// number of chains of loads at once without running out of registers.
    private static let laneCount = 3
    /// The largest number of parts of the data that are being read, or wait to be returned. Units are returned in the
    /// order of the data. So a finished part waits until the parts before it have been returned. While it waits, its
    /// decoder needs another part. So there are more parts than decoders.
    private static let partCount = 6
    private static let partByteCounts = 4 << 10...14 << 10
    private static let windowByteCount = 160 << 10
    // The buffer is filled up when fewer bytes than this follow the reading position of the last part. To make room,
    // the bytes that the decoders of all parts have passed are dropped. The number is small compared with the buffer,
    // so that filling, which takes time, is rare.
    private static let refillThreshold = 24 << 10
    /// The number of bytes for the coefficients of one part's minimum coded units. The coefficients of all parts
    /// together fit into the second-level cache.
    private static let runByteCount = 96 << 10
    /// The number of minimum coded units, and the number of bytes, after which a guess is given up. A decoder that
    /// began at a guessed position must have found the start of a real unit by then.
    static let guessLimit = (units: 512, bytes: 2048)

    let window: EntropyWindow
    let scan: ScanLayout
    private let splitting: Splitting
    private let capacity: Int
    // The parts of the data, in this order: the part whose minimum coded units come next, the later parts that have
    // begun, and idle parts.
    private(set) var parts: [ScanPart]
    private var activeCount = 1
    // Whether `next` has already returned the minimum coded units that are stored in the run of the first part.
    private var isHandedOut = false
    // Whether the decoder of the first part has reached a position at which the decoder of the second part began a
    // minimum coded unit. If so, the first part is finished. The units of the second part, from this position on,
    // follow directly after those of the first part.
    private var hasJoined = false
    private var partByteCount = 0
    // Room for one minimum coded unit whose coefficients are not used, because only the position of its end is needed.
    let scratch: InterleavedBlocks

    // The part of the scan that a helper thread reads; nil if there is none.
    var ahead: ScanAhead?
    // Whether this reader has read up to a unit that the helper thread has read as well. If so, all further minimum
    // coded units are taken from the helper thread.
    var hasJoinedAhead = false
    // The number of invalid units at the start of the helper thread's first run. The helper thread begins at a guessed
    // position, and reads invalid units until it happens to find the start of a real one. Nil once the first run has
    // been returned.
    var skippedAhead: Int?

    var damage: ScanPart.Damage? {
        if hasJoinedAhead { return ahead?.damage }
        return hasJoined ? nil : parts[0].damage
    }

    /// Makes a reader at the start of the scan's data.
    ///
    /// - Parameters:
    ///   - input: the file, whose next byte must be the first byte after the scan header.
    ///   - unitCount: the number of minimum coded units in the image. An image with few, such as a tile, gets less
    ///     memory.
    ///   - keepsTrails: whether some of the minimum coded units that are handed out will be read a second time.
    init(
        _ input: JPEGInput, components: [ScanLayout.Component], restartInterval: Int, splitting: Splitting,
        unitCount: Int = .max, keepsTrails: Bool = false
    ) {
        scan = ScanLayout(components, restartInterval: restartInterval, keepsTrails: keepsTrails)
        // If the rest of the file is short enough, the window gets room for it and for one byte more. So the window is
        // not full after it has been filled for the first time. This tells that it contains the rest of the file, and
        // that nothing remains to be read.
        window = EntropyWindow(input, capacity: min(Self.windowByteCount, input.byteCount - input.position + 1))
        capacity = max(32, min(2048, unitCount, Self.runByteCount / (2 * scan.states.unitSampleCount)))
        self.splitting = splitting
        parts = [ScanPart(window, scan: scan, capacity: capacity)]
        scratch = InterleavedBlocks(components: scan.components, capacity: 1)
    }

    /// Reads the next minimum coded units. The returned run of units is valid until the next call.
    ///
    /// - Parameters:
    ///   - wanted: the number of units to read. Fewer are returned if the memory for a run is full, if the next part of
    ///     the data begins, or if damage ends the scan. More are returned if a part was already read ahead and has more
    ///     units.
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

    /// Fills the run of the first part with minimum coded units. The first part is the part of the data whose units
    /// come next in the image. Reading ends in one of three cases:
    /// - The run contains `wanted` units, or is full.
    /// - Reading has reached the start of the next part.
    /// - The data are damaged.
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

    /// Reads up to three parts of the data alternately, until one of them is done. These are the first parts that are
    /// not done yet.
    ///
    /// - Parameter most: the largest number of minimum coded units in the first part's run. The first part is done when
    ///   its run contains so many.
    private func advance(_ most: Int) {
        for index in 0..<activeCount {
            if index > 0 { parts[index].guessAgain() }
            // The offset in the buffer at which the last part stops. It never reads past the place where the helper
            // thread began. A single part may read up to the end, because it counts its units and stops after the
            // wanted number. If there are several parts, the last one does not know how many units the scan still has.
            // It could take padding after the scan's last unit for one more unit. So it begins no unit in the last 64
            // bytes. These are left for the time when it is the only part.
            let last = min(placeAhead ?? .max, index == 0 ? windowEnd : windowEnd - 64)
            parts[index].prepare(
                index == 0 ? most : parts[index].run.capacity,
                bound: index + 1 < activeCount ? parts[index + 1].start : last)
        }
        let running = parts[..<activeCount].lazy.filter { !$0.isDone }.prefix(Self.laneCount)
        let lanes = Array(running)
        switch lanes.count {
        case 3: ScanPart.advance(lanes[0], lanes[1], lanes[2])
        case 2: ScanPart.advance(lanes[0], lanes[1])
        case 1: lanes[0].advance()
        // All data have been read, but minimum coded units are missing. Reading one more unit records that as damage.
        default: parts[0].readUnit()
        }
    }

    /// A minimum coded unit may be read if it begins before this offset in the buffer. It then also ends within the
    /// buffer, unless the scan's data end inside the unit.
    private var windowEnd: Int { window.endsScan ? window.count : window.count - EntropyWindow.slack }

    // MARK: Filling the buffer and dividing it into parts

    func refill() throws(RenderError) {
        guard !window.endsScan else { return }
        let left = window.count - parts[activeCount - 1].bitPosition / 8
        guard left < Self.refillThreshold else { return }
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
            if activeCount == parts.count { parts.append(ScanPart(window, scan: scan, capacity: capacity)) }
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
        /// Reading has stopped, because the first part's run already contains as many minimum coded units as it may.
        case full
    }

    /// Reads the first part of the data until it reaches a position at which the second part's decoder began a minimum
    /// coded unit. There the two parts meet. To find such positions, the second part is read once more from its start,
    /// without keeping its coefficients. The result is `.failed` if the first part has been read past all positions
    /// where the two could meet.
    ///
    /// - Parameter most: the largest number of units in the first part's run. When the run has so many, reading stops,
    ///   and the result is `.full`.
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
            if front.damage != nil || front.bitPosition > (back.start + Self.guessLimit.bytes) * 8 { return .failed }
            let place = front.lane.address
            if place > back.lane.address || count > Self.guessLimit.units { return .failed }
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
