import Dispatch
import Thumbwheel
import ThumbwheelLocks

/// The same replay with one setting at several values, to show how the outcome depends on it.
public struct ReplaySweep: Encodable, Sendable {
    /// The settings that can be varied.
    public enum Key: String, Sendable, CaseIterable, Encodable {
        /// The memory budget in bytes.
        case budget
        /// The number of render threads.
        case workers
        /// The number of grids that share the engine.
        case viewers
    }

    /// The outcome for one value of the setting.
    public struct Point: Encodable, Sendable {
        /// The setting's value.
        public var value: Int
        /// The runs at this value, one for each strategy.
        public var runs: [ReplayDocument.Run]
    }

    /// The setting that is varied.
    public let key: Key
    /// One point for each value, in increasing order.
    public let points: [Point]

    /// Returns the values from `first` to `last`, each twice the one before; `last` is always included.
    public static func values(from first: Int, to last: Int) -> [Int] {
        var values: [Int] = []
        var value = first
        while value < last {
            values.append(value)
            value *= 2
        }
        return values + [last]
    }

    /// Plays all values, as many at once as there are processors; each run has the same outcome as if it ran alone.
    ///
    /// - Parameters:
    ///   - key: The setting to vary.
    ///   - values: The values of the setting.
    ///   - progress: Called with the number of values that are done, on any thread.
    ///   - play: Plays all strategies at one value.
    public init(
        _ key: Key, values: [Int], progress: @Sendable (Int) -> Void = { _ in },
        play: @Sendable (Int) -> [ReplayRun]
    ) {
        self.key = key
        let played = Mutex<[Int: [ReplayDocument.Run]]>([:])
        DispatchQueue.concurrentPerform(iterations: values.count) { index in
            let runs = play(values[index]).map(ReplayDocument.Run.init)
            let count = played.withLock { played in
                played[index] = runs
                return played.count
            }
            progress(count)
        }
        points = played.withLock { played in values.indices.map { Point(value: values[$0], runs: played[$0]!) } }
    }
}

extension ReplaySweep.Point {
    /// The outcome of a strategy at this value, over all frames.
    public struct Summary: Sendable {
        /// The strategy's name.
        public let strategy: String
        /// The share of blank cell-frames among all cell-frames.
        public let blankShare: Double
        /// The share of look-ups that the cache answered.
        public let hitShare: Double
        /// The share of look-ups that a cache of the same size could have answered without prefetching, by an algorithm that
        /// knows the future.
        public let optimumHitShare: Double
        /// The most bytes that cached images took at once.
        public let peakBytes: Int
    }

    /// One summary for each strategy.
    public var summaries: [Summary] { runs.map(Summary.init) }
}

extension ReplaySweep.Point.Summary {
    fileprivate init(_ run: ReplayDocument.Run) {
        func share(_ part: Int, _ whole: Int) -> Double { whole > 0 ? Double(part) / Double(whole) : 0 }
        strategy = run.strategy
        blankShare = share(run.blankCellFrames, run.cellFrames)
        hitShare = share(run.cache.hits, run.cache.lookups)
        optimumHitShare = share(run.cache.lookups - run.cache.optimumMisses, run.cache.lookups)
        peakBytes = run.cache.peakBytes
    }
}
