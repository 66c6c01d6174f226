/// A comparison of two results of the same workload, figure by figure: the `thumbwheel.compare/1` document.
public struct DocumentComparison: Encodable, Sendable {
    /// The outcome of comparing one figure.
    public enum Verdict: String, Encodable, Sendable {
        /// The head, the document that is judged, is better by more than the tolerance.
        case better
        /// The two figures differ by no more than the tolerance.
        case same
        /// The head is worse than the base by more than the tolerance: a regression.
        case worse
        /// A time differs by more than its tolerance, but was not found to be worse each time that it was measured.
        case advice
        /// Only the base has this count. It fails the comparison, because leaving out a measurement is no way to pass. Counts
        /// of a unit of which the head has no figure at all are not compared.
        case gone
        /// Only the head has this count.
        case new
        /// The figure is neither good nor bad.
        case none

        /// Whether this verdict makes the comparison fail, as `worse` and `gone` do.
        public var isRegression: Bool { self == .worse || self == .gone }
    }

    /// One figure of both documents.
    public struct Row: Encodable, Sendable {
        /// The part of the document, such as a strategy, as the base names it.
        public var part: String
        /// The part as the head names it, because another strategy may be compared with the base's.
        public var headPart: String
        /// The figure's path of keys within its part, such as `warm.blankCellFrames`; `value` if the part has one
        /// figure.
        public var key: String
        /// The figure's unit; null if the schema has no units, or the unit is unknown.
        @Nullable public var unit: FigureUnit?
        /// Whether lower or higher figures are better.
        public var direction: FigureDirection
        /// The base's figure; null if only the head has one.
        @Nullable public var base: Double?
        /// The head's figure; null if only the base has one.
        @Nullable public var head: Double?
        /// The head's figure divided by the base's; null if the base's is 0 or one of them is missing.
        @Nullable public var ratio: Double?
        /// The share by which the figure may be worse.
        public var tolerance: Double
        /// The outcome for this figure.
        public var verdict: Verdict

        /// The name of the figure, for people.
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
    ///   - tolerance: The tolerance for figures that are worse. With nil, counts have the tolerance of their unit, whichever
    ///     machines they come from, and all other figures 3 %.
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

    /// Adds the times that were measured in rounds of both builds.
    public mutating func add(_ times: [Row]) { rows += times }

    /// Pairs the parts of the same name; if each document has only one part, pairs these two.
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
            let direction = FigureDirections.direction(of: key, in: schema, part: base.name)
            let share = tolerance.share(of: base.unit)
            return Row(
                part: base.name, headPart: head.name, key: key, unit: base.unit, direction: direction, base: before,
                head: after, ratio: before == 0 ? nil : after / before, tolerance: share,
                verdict: verdict(on: before, after, direction: direction, tolerance: share))
        }
    }

    /// Returns the rows of figures that only one of two documents of counts has.
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
        // The tolerance is a share of the smaller figure, so that two figures are the same whichever of them comes first.
        guard large - small > small.magnitude * tolerance else { return .same }
        return (head < base) == (direction == .lower) ? .better : .worse
    }
}
