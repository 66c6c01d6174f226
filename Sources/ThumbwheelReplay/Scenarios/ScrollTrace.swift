import ThumbwheelGrid

/// A scroll as it was made or recorded: the positions of the viewport's upper edge, their times, and the changes of the
/// contents.
public struct ScrollTrace: Sendable, Equatable {
    /// The position of the viewport at one time.
    public struct Sample: Sendable, Equatable {
        /// Milliseconds since the start.
        public var time: Double
        /// The position of the viewport's leading edge, in pixels along the axis.
        public var offset: Double

        /// Makes a sample; the time is in milliseconds, the offset in pixels.
        public init(time: Double, offset: Double) {
            self.time = time
            self.offset = offset
        }
    }

    /// A change of the contents at one time.
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
    /// The kind of layout that was made of the grid.
    public var kind: LayoutKind
    /// The samples in order of time; there is at least one.
    public private(set) var samples: [Sample]
    /// The events in order of time. An edit and a sample of the same time are seen in the same frame.
    public private(set) var events: [Event]
    /// The number of assets that the grid shows at the beginning, which are the first ones of the replay; nil for all assets.
    public private(set) var itemCount: Int?
    /// The number of assets that the edits are made for; nil if there are no edits.
    public private(set) var assetCount: Int?

    /// - Precondition: there is at least one sample, and times do not go backwards.
    public init(
        layout: GridLayout, kind: LayoutKind = .grid, samples: [Sample], events: [Event] = [], itemCount: Int? = nil,
        assetCount: Int? = nil
    ) {
        precondition(!samples.isEmpty, "a trace without samples")
        precondition(zip(samples, samples.dropFirst()).allSatisfy { $0.time <= $1.time }, "time runs backwards")
        precondition(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time }, "time runs backwards")
        self.layout = layout
        self.kind = kind
        self.samples = samples
        self.events = events
        self.itemCount = itemCount
        self.assetCount = assetCount
    }

    /// The length of the trace in milliseconds.
    public var milliseconds: Double { samples.last!.time - samples.first!.time }

    /// Returns the greatest number of assets, counted from the first, that the trace comes to show.
    public func reach(itemCount: Int) -> Int {
        guard events.isEmpty else { return itemCount }
        let layout = kind.layout(ofItemCount: itemCount, in: layout)
        return samples.map { layout.visibleItems(at: $0.offset).upperBound }.max() ?? 0
    }

    /// The state of the viewport in one frame.
    struct Frame {
        var offset: Double
        /// The edits of the contents since the frame before, in order.
        var edits: ArraySlice<Event>
    }

    /// Returns the frames at a rate, with the edits of the contents between them.
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

    /// Returns the contents that are shown at the beginning.
    func contents(assetCount: Int) -> GridContents { GridContents(count: min(itemCount ?? assetCount, assetCount)) }

    /// Returns the contents that are shown at the beginning, and their layout.
    func laidOutContents(assetCount: Int) -> LaidOutContents {
        LaidOutContents(contents(assetCount: assetCount), kind, in: layout)
    }

    /// Returns the offsets at `framesPerSecond`, from the first sample's time on, interpolated linearly between samples.
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
