/// The times of the same operations in two builds, measured by turns, round by round.
public struct TimedRounds: Sendable {
    /// The times of each operation, in the order of the document.
    private var times: [(name: String, base: [Double], head: [Double])] = []

    /// Makes a measurement without any round.
    public init() {}

    /// Adds a round: one document of times from each build. Operations that only one of them has are skipped.
    public mutating func add(base: ResultDocument, head: ResultDocument) {
        let heads = Dictionary(head.parts.map { ($0.name, $0) }) { first, _ in first }
        for part in base.parts {
            guard let before = part.figures["value"], let after = heads[part.name]?.figures["value"] else { continue }
            if let index = times.firstIndex(where: { $0.name == part.name }) {
                times[index].base.append(before)
                times[index].head.append(after)
            } else {
                times.append((part.name, [before], [after]))
            }
        }
    }

    /// The least number of rounds for a verdict.
    private static let decidingRoundCount = 5

    /// Whether any operation takes longer by more than the tolerance.
    public var hasSlower: Bool { !slower.isEmpty }

    /// The operations whose median and least times are both past the tolerance: on a busy machine, one of the two may be so by
    /// chance.
    private var slower: Set<String> {
        let limit = 1 + FigureUnit.nanoseconds.toleranceOnOneMachine
        return Set(
            times.lazy.filter { time in
                guard time.base.count >= Self.decidingRoundCount, let base = time.base.min(), let head = time.head.min()
                else { return false }
                return Self.ratio(time.base, time.head) > limit && head > base * limit
            }.map(\.name))
    }

    /// Returns the median of the rounds' ratios, because within a round both builds were disturbed alike.
    private static func ratio(_ base: [Double], _ head: [Double]) -> Double {
        median(zip(base, head).map { $0 > 0 ? $1 / $0 : 1 })
    }

    /// Returns the rows of the first measurement. A time is a regression only if it is past its tolerance there and in two
    /// repeats.
    public static func rows(_ measurements: [TimedRounds]) -> [DocumentComparison.Row] {
        guard let first = measurements.first else { return [] }
        let unit = FigureUnit.nanoseconds
        return first.times.map { time in
            let ratio = ratio(time.base, time.head)
            let tolerance = unit.toleranceOnOneMachine
            let isSure = measurements.count > 2 && measurements.allSatisfy { $0.slower.contains(time.name) }
            let isFar = DocumentComparison.verdict(on: 1, ratio, direction: .lower, tolerance: tolerance) != .same
            return DocumentComparison.Row(
                part: time.name, headPart: time.name, key: "value", unit: unit, direction: .lower,
                base: median(time.base), head: median(time.head), ratio: ratio, tolerance: tolerance,
                verdict: isSure ? .worse : isFar ? .advice : .same)
        }
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}
