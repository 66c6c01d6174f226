import ThumbwheelCore
import ThumbwheelGrid

/// Where a viewport's upper edge was, and when: a scroll as it was made or recorded.
public struct ScrollTrace: Sendable, Equatable {
    public struct Sample: Sendable, Equatable {
        /// Milliseconds since the start.
        public var time: Double
        /// Pixels from the grid's top.
        public var offset: Double

        public init(time: Double, offset: Double) {
            self.time = time
            self.offset = offset
        }
    }

    public var layout: GridLayout
    /// In order of time; at least one.
    public private(set) var samples: [Sample]

    /// - Precondition: there is a sample, and times do not go backwards.
    public init(layout: GridLayout, samples: [Sample]) {
        precondition(!samples.isEmpty, "a trace without samples")
        precondition(zip(samples, samples.dropFirst()).allSatisfy { $0.time <= $1.time }, "time runs backwards")
        self.layout = layout
        self.samples = samples
    }

    public var milliseconds: Double { samples.last!.time - samples.first!.time }

    /// How many items, from the first on, the trace comes to see.
    public func reach(itemCount: Int) -> Int {
        samples.map { layout.visibleItems(at: $0.offset, itemCount: itemCount).upperBound }.max() ?? 0
    }

    /// The offsets at `framesPerSecond`, in straight lines between samples, from the first sample's time on.
    public func frames(perSecond framesPerSecond: Double) -> [Double] {
        let start = samples.first!.time
        let count = max(1, Int((milliseconds * framesPerSecond / 1000).rounded(.down)))
        var index = 0
        return (0..<count).map { frame in
            let time = start + Double(frame) * 1000 / framesPerSecond
            while index + 1 < samples.count, samples[index + 1].time <= time { index += 1 }
            let here = samples[index]
            guard index + 1 < samples.count, samples[index + 1].time > here.time else { return here.offset }
            let next = samples[index + 1]
            return here.offset + (next.offset - here.offset) * (time - here.time) / (next.time - here.time)
        }
    }
}
