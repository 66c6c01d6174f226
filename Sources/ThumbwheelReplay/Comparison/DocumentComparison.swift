/// Two results of the same workload, figure beside figure: the `thumbwheel.compare/1` document.
public struct DocumentComparison: Encodable, Sendable {
    /// The outcome of comparing one figure.
    public enum Verdict: String, Encodable, Sendable {
        /// The head is better by more than the tolerance.
        case better
        /// The two differ by no more than the tolerance.
        case same
        /// The head is worse by more than the tolerance: a regression.
        case worse
        /// A time that differs by more than its tolerance, but was not found to be worse each time that it was measured.
        case advice
        /// Of a count that only the base has: no longer to be measured is no way to pass. A unit of which the other has no
        /// figure at all was not asked for.
        case gone
        /// Of a count that only the other document has.
        case new
        /// For figures that are neither good nor bad.
        case none

        /// Whether the verdict makes the comparison fail: `worse` or `gone`.
        public var isRegression: Bool { self == .worse || self == .gone }
    }

    /// One figure of both documents.
    public struct Row: Encodable, Sendable {
        /// The part of the document, such as a strategy, as the base names it.
        public var part: String
        /// As the other document names it: another strategy may be compared with the base's.
        public var headPart: String
        /// The figure's path of keys within its part, such as `warm.blankCellFrames`; `value` if the part has one
        /// figure.
        public var key: String
        /// Null where the schema has no units, or other ones.
        @Nullable public var unit: FigureUnit?
        /// Whether lower or higher figures are better.
        public var direction: FigureDirection
        /// Null for what is new.
        @Nullable public var base: Double?
        /// Null for what is gone.
        @Nullable public var head: Double?
        /// head divided by base; null where base is 0 or one of them is missing.
        @Nullable public var ratio: Double?
        /// The share by which the figure may be worse.
        public var tolerance: Double
        /// The outcome for this figure.
        public var verdict: Verdict

        /// The name of the row for people.
        public var name: String {
            let parts = part == headPart ? part : "\(part) → \(headPart)"
            return key == "value" ? parts : "\(parts) \(key)"
        }
    }

    /// The name and the version of this document's format.
    public let schema = "thumbwheel.compare/1"
    /// The schema of the two documents that were compared.
    public let compared: String
    /// The figures, in the base's order; figures that only the head has come last.
    public private(set) var rows: [Row]

    /// Whether any figure is worse by more than its tolerance.
    public var hasRegression: Bool { rows.contains { $0.verdict.isRegression } }

    /// Compares two documents figure by figure.
    ///
    /// - Parameters:
    ///   - base: The document to compare with.
    ///   - head: The document to judge.
    ///   - tolerance: By how much a figure may be worse. Nil for the usual: counts by their unit, whichever machines
    ///     they come from; everything else 3 %.
    /// - Throws: `ResultDocumentError` if the two have different schemas or workloads; its text names the key.
    public init(
        base: ResultDocument, head: ResultDocument, tolerance: FigureTolerance? = nil
    ) throws(ResultDocumentError) {
        guard base.schema == head.schema else {
            throw ResultDocumentError("the schemas differ: \(base.schema) and \(head.schema)")
        }
        let hashes = [base, head].compactMap { $0.workload["photographs.contentHash"] }
        guard hashes.count < 2 || Set(hashes.map { $0.hasPrefix(PhotographSet.outlinePrefix) }).count == 1 else {
            throw ResultDocumentError(
                "cannot be compared: one knows its photographs by a hash of all their bytes, as older versions made it, and "
                    + "the other by one of their lengths, beginnings and ends; make both with one version")
        }
        for key in Set(base.workload.keys).union(head.workload.keys).sorted() {
            let values = (base.workload[key] ?? "nothing", head.workload[key] ?? "nothing")
            guard values.0 == values.1 else {
                throw ResultDocumentError("the workloads differ in '\(key)': \(values.0) and \(values.1)")
            }
        }
        compared = base.schema
        let tolerance = tolerance ?? (base.isCounts ? .anyMachine : .share(FigureTolerance.usual))
        rows = Self.pairs(base.parts, head.parts).flatMap { pair in
            Self.rows(of: pair.base, pair.head, schema: base.schema, tolerance: tolerance)
        }
        if base.isCounts { rows += Self.unpaired(base.parts, head.parts, tolerance: tolerance) }
    }

    /// Adds what was timed by both.
    public mutating func add(_ times: [Row]) { rows += times }

    /// Parts of the same name, or, where each document has only one, the two of them.
    private static func pairs(
        _ base: [ResultDocument.Part], _ head: [ResultDocument.Part]
    ) -> [(base: ResultDocument.Part, head: ResultDocument.Part)] {
        if base.count == 1, head.count == 1 { return [(base[0], head[0])] }
        let byName = Dictionary(head.map { ($0.name, $0) }) { first, _ in first }
        return base.compactMap { part in byName[part.name].map { (part, $0) } }
    }

    private static func rows(
        of base: ResultDocument.Part, _ head: ResultDocument.Part, schema: String, tolerance: FigureTolerance
    ) -> [Row] {
        base.figures.keys.sorted().compactMap { key in
            guard let before = base.figures[key], let after = head.figures[key] else { return nil }
            let direction = FigureDirections.direction(of: key, in: schema)
            let share = tolerance.share(of: base.unit)
            return Row(
                part: base.name, headPart: head.name, key: key, unit: base.unit, direction: direction, base: before,
                head: after, ratio: before == 0 ? nil : after / before, tolerance: share,
                verdict: verdict(on: before, after, direction: direction, tolerance: share))
        }
    }

    /// Figures that only one of two documents of counts has.
    private static func unpaired(
        _ base: [ResultDocument.Part], _ head: [ResultDocument.Part], tolerance: FigureTolerance
    ) -> [Row] {
        func rows(_ parts: [ResultDocument.Part], without others: [ResultDocument.Part], _ verdict: Verdict) -> [Row] {
            let known = Set(others.map(\.name))
            let units = Set(others.map(\.unit))
            return parts.filter { !known.contains($0.name) && units.contains($0.unit) }.map { part in
                let value = part.figures["value"]
                return Row(
                    part: part.name, headPart: part.name, key: "value", unit: part.unit, direction: .lower,
                    base: verdict == .gone ? value : nil, head: verdict == .new ? value : nil, ratio: nil,
                    tolerance: tolerance.share(of: part.unit), verdict: verdict)
            }
        }
        return rows(base, without: head, .gone) + rows(head, without: base, .new)
    }

    static func verdict(
        on base: Double, _ head: Double, direction: FigureDirection, tolerance: Double
    ) -> Verdict {
        guard direction != .neither else { return .none }
        let (small, large) = (min(base, head), max(base, head))
        // A share of the smaller one: the same two figures differ or not whichever comes first.
        guard large - small > small.magnitude * tolerance else { return .same }
        return (head < base) == (direction == .lower) ? .better : .worse
    }
}
