/// The media types that a client takes, with their weights (RFC 9110, section 12.5.1).
struct AcceptedTypes {
    private let ranges: [(type: String, weight: Double)]

    /// - Parameter field: The value of `Accept`; nil accepts everything.
    init(_ field: String?) {
        guard let field else {
            ranges = [("*/*", 1)]
            return
        }
        ranges = field.split(separator: ",").prefix(64).compactMap { element in
            let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let type = parts.first, type.contains("/") else { return nil }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            return (type, min(1, max(0, weight)))
        }
    }

    /// The weight of a type, by the most specific range that names it; 0 if the client does not take it.
    func weight(of type: String) -> Double {
        let family = type.prefix { $0 != "/" } + "/*"
        for name in [type, String(family), "*/*"] {
            if let range = ranges.first(where: { $0.type == name }) { return range.weight }
        }
        return 0
    }

    /// Whether the client names a type itself, and not only all types or all images.
    func names(_ type: String) -> Bool { ranges.contains { $0.type == type && $0.weight > 0 } }
}
