import Foundation

/// The part of a result document that a comparison needs: the workload, and the figures by name.
public struct ResultDocument: Sendable {
    /// The figures of one part of a document: a run, a summary, a benchmark row.
    struct Part: Sendable, Equatable {
        var name: String
        var unit: FigureUnit?
        /// The figures by the path of keys from the part down, such as `warm.blankCellFrames`.
        var figures: [String: Double]
    }

    /// The name and the version of the document's format, such as `thumbwheel.replay/1`.
    public let schema: String
    /// Each setting of the workload as text, by the path of its keys.
    let workload: [String: String]
    let parts: [Part]

    /// Whether the document holds counts, all of which must be in both documents of a comparison.
    var isCounts: Bool { schema == "thumbwheel.counts/1" }

    /// Reads a document.
    ///
    /// - Parameter data: The JSON text of a document of schema `replay`, `counts`, `bench` or `render`.
    /// - Throws: `ResultDocumentError` for anything else, for a document that was cut short, and for a document whose counts
    ///   contradict one another.
    public init(_ data: Data) throws(ResultDocumentError) {
        guard let top = try? JSONDecoder().decode(JSONValue.self, from: data) else {
            throw ResultDocumentError("not a JSON document, or one that was cut short")
        }
        guard let schema = top["schema"]?.string else { throw ResultDocumentError("no key 'schema'") }
        self.schema = schema
        guard let workload = top["settings"]?["workload"] else {
            throw ResultDocumentError("no key 'settings.workload'")
        }
        self.workload = workload.leaves().mapValues(\.description)
        switch schema {
        case "thumbwheel.replay/1": parts = try Self.parts(of: top, key: "runs", namedBy: "strategy")
        case "thumbwheel.counts/1": parts = try Self.parts(of: top, key: "figures", namedBy: "name")
        case "thumbwheel.bench/1": parts = try Self.parts(of: top, key: "results", namedBy: "name")
        case "thumbwheel.render/1":
            guard let summary = top["summary"] else { throw ResultDocumentError("no key 'summary'") }
            parts = [Part(name: "summary", figures: summary.leaves().compactMapValues(\.number))]
            try Self.checkCount(of: top["images"], against: summary)
        default: throw ResultDocumentError("a document of schema \(schema), which cannot be compared")
        }
        for part in parts where schema == "thumbwheel.replay/1" { try Self.checkSums(of: part) }
    }

    private static func parts(
        of top: JSONValue, key: String, namedBy name: String
    ) throws(ResultDocumentError) -> [Part] {
        guard case .array(let list)? = top[key] else { throw ResultDocumentError("no key '\(key)'") }
        var parts: [Part] = []
        var names: Set<String> = []
        for entry in list {
            guard let title = entry[name]?.string else {
                throw ResultDocumentError("a part of '\(key)' without '\(name)'")
            }
            guard names.insert(title).inserted else { throw ResultDocumentError("two parts named '\(title)'") }
            parts.append(
                Part(
                    name: title, unit: entry["unit"]?.string.flatMap(FigureUnit.init),
                    figures: entry.leaves().compactMapValues(\.number)))
        }
        return parts
    }

    private static func checkCount(of images: JSONValue?, against summary: JSONValue) throws(ResultDocumentError) {
        guard case .array(let list)? = images else { throw ResultDocumentError("no key 'images'") }
        let failed = list.count { $0["error"].map { $0 != .null } ?? false }
        for (key, count) in [("images", list.count), ("failed", failed)] where summary[key]?.number != Double(count) {
            throw ResultDocumentError("'summary.\(key)' is not what 'images' has, \(count)")
        }
    }

    private static func checkSums(of part: Part) throws(ResultDocumentError) {
        for prefix in ["", "warm."] {
            let shown = ["blank", "placeholder", "degraded", "final"].map { part.figures["\(prefix)\($0)CellFrames"] }
            guard let total = part.figures[prefix + "cellFrames"], !shown.contains(nil) else {
                throw ResultDocumentError("\(part.name): a count of '\(prefix)cellFrames' is missing")
            }
            guard shown.compactMap(\.self).reduce(0, +) == total else {
                throw ResultDocumentError("\(part.name): the counts do not add up to '\(prefix)cellFrames'")
            }
        }
        let figures = part.figures
        if let lookups = figures["cache.lookups"], let hits = figures["cache.hits"],
            let misses = figures["cache.misses"],
            hits + misses != lookups
        {
            throw ResultDocumentError("\(part.name): hits and misses do not add up to 'cache.lookups'")
        }
        let ends = ["delivered", "cancelled", "failed", "shed"].compactMap { figures["requests." + $0] }
        if let submitted = figures["requests.submitted"], ends.reduce(0, +) > submitted {
            throw ResultDocumentError("\(part.name): more requests have ended than 'requests.submitted'")
        }
    }
}
