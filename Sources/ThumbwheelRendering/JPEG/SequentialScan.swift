/// Reads the entropy-coded data of an interleaved sequential scan, or of a single component's, run by run.
///
/// A second lane reads ahead of the first: from a restart marker, or from any byte, guessing that a unit begins there. A
/// wrong guess falls into step with the true units after some dozens of bytes. When the first lane comes to a place where
/// a unit of the second began, the two would go on alike, for nothing but the place decides what a unit means: its DC
/// coefficients are differences, and the sums are made later. Only then are the second lane's units taken; otherwise the
/// first goes on as if there were no other. So the second lane changes the time, never the result.
final class SequentialScan {
    /// Where a second lane starts.
    struct Splitting {
        /// Bytes that must be left in the window.
        var minimumByteCount: Int
        /// Chooses the start among the bytes that are left.
        var place: (Range<Int>) -> Int

        /// A little before the middle, where there is enough to gain: the front, which goes on with what the other leaves, is
        /// to be there first.
        static var halves: Splitting {
            Splitting(minimumByteCount: 6 << 10) { $0.lowerBound + $0.count * 15 / 32 }
        }
        /// Never.
        static var none: Splitting { Splitting(minimumByteCount: .max) { $0.upperBound } }
    }

    private let window: EntropyWindow
    private let splitting: Splitting
    private let restartInterval: Int
    // The lane whose units come next, and the one that may be ahead of it.
    private var front: ScanFront
    private var back: ScanFront
    private var isSplit = false
    // Where the lane ahead began, and how many of its first units have been compared with.
    private var splitStart = 0
    private var traceIndex = 0
    // Whether the front has come to a unit of the lane ahead, which is next.
    private var hasJoined = false

    var damage: ScanFront.Damage? { hasJoined ? nil : front.damage }

    /// Units that the front reads at once, and memory of a run: few enough for their coefficients to stay in the cache.
    private static let frontUnitCount = 256
    private static let runByteCount = 96 << 10

    /// - Parameter input: its next byte is the first behind the scan header.
    init(
        _ input: JPEGInput, components: [ScanCursors.Component], restartInterval: Int, splitting: Splitting
    ) throws(RenderError) {
        window = EntropyWindow(input)
        self.splitting = splitting
        self.restartInterval = restartInterval
        let unitByteCount = components.reduce(0) {
            $0 + $1.dimensions.horizontal * $1.dimensions.vertical * ($1.dimensions.scale * $1.dimensions.scale + 1) * 2
        }
        let capacity = max(32, min(1024, Self.runByteCount / unitByteCount))
        front = ScanFront(window, components: components, capacity: capacity, restartInterval: restartInterval)
        back = ScanFront(window, components: components, capacity: capacity, restartInterval: restartInterval)
        try front.fill()
    }

    /// Reads units into a run that is valid until the next call.
    ///
    /// - Parameters:
    ///   - wanted: how many at most are looked for. Fewer come where the run is full and where damage ends the scan, more
    ///     where a lane was ahead.
    ///   - keepsCoefficients: false where only DC coefficients matter.
    func next(_ wanted: Int, keepsCoefficients: Bool) throws(RenderError) -> CoefficientRun {
        if hasJoined {
            hasJoined = false
            isSplit = false
            swap(&front, &back)
            front.lane.traceCount = 0
            return front.run
        }
        front.rewind(keepsCoefficients: keepsCoefficients)
        let most = min(wanted, front.run.capacity, Self.frontUnitCount)
        while front.run.count < most, front.damage == nil, !hasJoined {
            if !isSplit, !window.endsScan, window.count - front.bitPosition / 8 < 2 * EntropyWindow.slack {
                try front.fill()
            }
            if front.isAtRestart { front.restart() }
            if front.damage != nil { break }
            if isSplit { compare() }
            if hasJoined { break }
            if !isSplit { try split() }
            advance(most)
        }
        return front.run
    }

    private func advance(_ most: Int) {
        guard isSplit else {
            front.prepare(most, bound: .max)
            front.advance()
            return
        }
        let isNear = front.bitPosition >= (splitStart - 16) * 8
        front.prepare(isNear ? front.lane.unitCount + 1 : most, bound: splitStart)
        if isNear || !isBackRunning {
            front.advance()
        } else if front.advance(with: back) {
            prepareBack()
        }
    }

    // MARK: The lane ahead

    private var isBackRunning = false
    // The byte of the scan before which no other lane is started, because one there has failed.
    private var barrier = 0

    private func split() throws(RenderError) {
        guard splitting.minimumByteCount < .max, window.passedCount + front.bitPosition / 8 >= barrier else { return }
        var first = front.bitPosition / 8 + 1
        if !window.endsScan, first > 1024 {
            try front.fill()
            first = 1
        }
        let end = window.endsScan ? window.count : window.count - EntropyWindow.slack
        guard end - first >= splitting.minimumByteCount, front.lane.isBetweenUnits else { return }
        var start = splitting.place(first..<end)
        var markerCount = front.markerCount
        if restartInterval > 0 {
            guard let index = window.markers.firstIndex(where: { $0 >= start }), index >= markerCount else { return }
            start = window.markers[index]
            markerCount = index + 1
        }
        guard start >= first, start < end else { return }
        splitStart = start
        traceIndex = 0
        isSplit = true
        back.begin(at: start, behind: markerCount)
        isBackRunning = true
        prepareBack()
    }

    /// Has the lane ahead go on, if there is anything left for it.
    private func prepareBack() {
        let end = window.endsScan ? window.count : window.count - EntropyWindow.slack
        if back.damage == nil, back.isAtRestart { back.restart() }
        // Either the guess has failed or the data are damaged, and the front will find where.
        guard back.damage == nil else { return abandon() }
        isBackRunning = back.run.count < back.run.capacity && back.bitPosition / 8 < end - 64
        if isBackRunning { back.prepare(back.run.capacity, bound: .max) }
    }

    /// Goes on with one lane.
    private func abandon() {
        isSplit = false
        barrier = window.passedCount + splitStart
    }

    /// Looks whether the front is where a unit of the lane ahead began.
    private func compare() {
        let address = front.lane.bitAddress
        let known = min(back.lane.unitCount, ScanFront.traceCapacity - 1)
        while traceIndex <= known, back.trace[traceIndex] < address { traceIndex += 1 }
        if traceIndex > known {
            // Passed without a meeting: the guess was wrong for too long.
            abandon()
        } else if back.trace[traceIndex] == address {
            back.finishUnit()
            if back.damage != nil {
                abandon()
            } else {
                back.run.start = traceIndex
                hasJoined = true
            }
        }
    }
}
