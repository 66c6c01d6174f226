import ThumbwheelGrid

/// A scroll as it was made or recorded: where the viewport's upper edge was, when, and how its contents changed.
public struct ScrollTrace: Sendable, Equatable {
    /// The viewport's place at one time.
    public struct Sample: Sendable, Equatable {
        /// Milliseconds since the start.
        public var time: Double
        /// Pixels from the grid's top.
        public var offset: Double

        /// Makes a sample; the time is in milliseconds, the offset in pixels.
        public init(time: Double, offset: Double) {
            self.time = time
            self.offset = offset
        }
    }

    /// Something that happens to the contents.
    public struct Event: Sendable, Equatable {
        /// Milliseconds since the start.
        public var time: Double
        /// The change of the contents.
        public var edit: ListEdit

        /// Makes an event; the time is in milliseconds.
        public init(time: Double, edit: ListEdit) {
            self.time = time
            self.edit = edit
        }
    }

    /// The grid that was scrolled.
    public var layout: GridLayout
    /// In order of time; at least one.
    public private(set) var samples: [Sample]
    /// In order of time. An edit and a sample of the same time are seen in the same frame.
    public private(set) var events: [Event]
    /// How many of the replay's assets the grid shows at the beginning, the first ones; nil for all there are.
    public private(set) var itemCount: Int?
    /// How many assets its edits are made for; nil where there are none.
    public private(set) var assetCount: Int?

    /// - Precondition: there is a sample, and times do not go backwards.
    public init(
        layout: GridLayout, samples: [Sample], events: [Event] = [], itemCount: Int? = nil, assetCount: Int? = nil
    ) {
        precondition(!samples.isEmpty, "a trace without samples")
        precondition(zip(samples, samples.dropFirst()).allSatisfy { $0.time <= $1.time }, "time runs backwards")
        precondition(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time }, "time runs backwards")
        self.layout = layout
        self.samples = samples
        self.events = events
        self.itemCount = itemCount
        self.assetCount = assetCount
    }

    /// The length of the trace in milliseconds.
    public var milliseconds: Double { samples.last!.time - samples.first!.time }

    /// How many assets, from the first on, the trace comes to see at most.
    public func reach(itemCount: Int) -> Int {
        guard events.isEmpty else { return itemCount }
        return samples.map { layout.visibleItems(at: $0.offset, itemCount: itemCount).upperBound }.max() ?? 0
    }

    /// One look at the viewport.
    struct Frame {
        var offset: Double
        /// What has happened to the contents since the frame before, in order.
        var edits: ArraySlice<Event>
    }

    /// The frames at a rate, with what happens to the contents between them.
    func schedule(framesPerSecond: Double) -> [Frame] {
        let start = samples.first!.time
        var next = 0
        return frames(perSecond: framesPerSecond).enumerated().map { number, offset in
            let first = next
            let time = start + Double(number) * 1000 / framesPerSecond
            while next < events.count, events[next].time <= time { next += 1 }
            return Frame(offset: offset, edits: events[first..<next])
        }
    }

    /// What is shown at the beginning.
    func contents(assetCount: Int) -> GridContents { GridContents(count: min(itemCount ?? assetCount, assetCount)) }

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
