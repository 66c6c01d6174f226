/// The directions of a schema's figures, by the path of their keys; figures that are not listed are `neither`.
///
/// Extremes are left out on purpose: the largest of many times may be a single accident of the machine.
enum FigureDirections {
    /// - Parameter part: the name of the run or of the operation that the figure belongs to.
    static func direction(of path: String, in schema: String, part: String = "") -> FigureDirection {
        switch schema {
        case "thumbwheel.replay/1": replay[path] ?? .neither
        case "thumbwheel.render/1": render[path] ?? .neither
        case "thumbwheel.bench/1", "thumbwheel.counts/1":
            path != "value" ? .neither : part.hasSuffix("PerSecond") ? .higher : .lower
        default: .neither
        }
    }

    private static let replay: [String: FigureDirection] = {
        var table: [String: FigureDirection] = [
            "finalCellFrames": .higher, "warm.finalCellFrames": .higher, "cache.hits": .higher, "cache.misses": .lower,
            "cache.peakBytes": .lower, "renders.wasted": .lower, "renders.wastedMilliseconds": .lower,
            "renders.totalMilliseconds": .lower, "requests.failed": .lower, "requests.shed": .lower,
            "measured.cpuSeconds": .lower, "measured.callerMicroseconds.p50": .lower,
            "measured.callerMicroseconds.p99": .lower, "measured.peakResidentBytes": .lower,
            "measured.peakAllocatedBytes": .lower, "measured.peakLibraryBytes": .lower,
            "measured.peakAllocatorOverheadBytes": .lower,
            "images.rendered": .lower, "tiers.store.misses": .lower, "tiers.shared.misses": .lower,
            "restart.blankCellFrames": .lower, "restart.warm.blankCellFrames": .lower,
            "restart.rendersStarted": .lower, "neverFilled": .lower, "mismatched": .lower,
        ]
        for prefix in ["", "warm."] {
            table[prefix + "blankCellFrames"] = .lower
        }
        for name in ["firstMilliseconds", "firstMillisecondsWithPreview", "finalMilliseconds"] {
            for point in ["p50", "p95", "p99"] { table["\(name).\(point)"] = .lower }
        }
        return table
    }()

    private static let render: [String: FigureDirection] = {
        var table: [String: FigureDirection] = [
            "failed": .lower, "wallSeconds": .lower, "cpuSeconds": .lower, "imagesPerSecond": .higher,
            "megapixelsPerSecond": .higher, "minorFaults": .lower, "peakResidentBytes": .lower,
        ]
        for name in ["milliseconds", "firstMilliseconds"] {
            for point in ["mean", "p50", "p95", "p99"] { table["\(name).\(point)"] = .lower }
        }
        return table
    }()
}
