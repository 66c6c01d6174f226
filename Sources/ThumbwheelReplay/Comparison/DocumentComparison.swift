/// Two results of the same workload, figure beside figure: the `thumbwheel.compare/1` document.
public struct DocumentComparison: Encodable, Sendable {
    public enum Verdict: String, Encodable, Sendable {
        case better, same, worse
        /// For figures that are neither good nor bad.
        case none
    }

    public struct Row: Encodable, Sendable {
        /// The part of the document, such as a strategy, as the base names it.
        public var part: String
        /// As the other document names it: another strategy may be compared with the base's.
        public var headPart: String
        public var key: String
        public var direction: FigureDirection
        public var base: Double
        public var head: Double
        /// head divided by base; null where base is 0.
        @Nullable public var ratio: Double?
        public var verdict: Verdict
    }

    public let schema = "thumbwheel.compare/1"
    public let compared: String
    /// The share by which a figure may be worse.
    public let tolerance: Double
    public let rows: [Row]

    /// Whether any figure is worse by more than the tolerance.
    public var hasRegression: Bool { rows.contains { $0.verdict == .worse } }

    /// - Throws: where the two are of different schemas or workloads; the message names the key.
    public init(base: ResultDocument, head: ResultDocument, tolerance: Double) throws(ResultDocumentError) {
        guard base.schema == head.schema else {
            throw ResultDocumentError("the schemas differ: \(base.schema) and \(head.schema)")
        }
        for key in Set(base.workload.keys).union(head.workload.keys).sorted() {
            let values = (base.workload[key] ?? "nothing", head.workload[key] ?? "nothing")
            guard values.0 == values.1 else {
                throw ResultDocumentError("the workloads differ in '\(key)': \(values.0) and \(values.1)")
            }
        }
        compared = base.schema
        self.tolerance = tolerance
        rows = Self.pairs(base.parts, head.parts).flatMap { pair in
            Self.rows(of: pair.base, pair.head, schema: base.schema, tolerance: tolerance)
        }
    }

    /// Parts of the same name, or, where each document has only one, the two of them.
    private static func pairs(
        _ base: [ResultDocument.Part], _ head: [ResultDocument.Part]
    ) -> [(base: ResultDocument.Part, head: ResultDocument.Part)] {
        if base.count == 1, head.count == 1 { return [(base[0], head[0])] }
        return base.compactMap { part in
            head.first { $0.name == part.name }.map { (part, $0) }
        }
    }

    private static func rows(
        of base: ResultDocument.Part, _ head: ResultDocument.Part, schema: String, tolerance: Double
    ) -> [Row] {
        base.figures.keys.sorted().compactMap { key in
            guard let before = base.figures[key], let after = head.figures[key] else { return nil }
            let direction = FigureDirections.direction(of: key, in: schema)
            return Row(
                part: base.name, headPart: head.name, key: key, direction: direction, base: before, head: after,
                ratio: before == 0 ? nil : after / before,
                verdict: verdict(on: before, after, direction: direction, tolerance: tolerance))
        }
    }

    private static func verdict(
        on base: Double, _ head: Double, direction: FigureDirection, tolerance: Double
    ) -> Verdict {
        guard direction != .neither else { return .none }
        let (small, large) = (min(base, head), max(base, head))
        // A share of the smaller one: the same two figures differ or not whichever comes first.
        guard large - small > small.magnitude * tolerance else { return .same }
        return (head < base) == (direction == .lower) ? .better : .worse
    }
}
