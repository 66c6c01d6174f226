/// Gathers the lines of an answer's head.
struct HTTPHeadReader {
    struct Head {
        var status: Int
        /// The fields that this library uses, by their names in lower case. The values of a field that comes several times
        /// are joined by commas.
        var fields: [String: String] = [:]

        /// Whether the answer only points to another address.
        var isRedirection: Bool { [301, 302, 303, 307, 308].contains(status) && fields["location"] != nil }
    }

    enum Outcome {
        case more
        case complete(Head)
        /// The head is longer than any that is read.
        case tooLong
    }

    private static let names: Set = [
        "content-encoding", "content-length", "content-range", "etag", "last-modified", "location", "retry-after",
    ]
    private static let byteLimit = 64 << 10

    /// The head that is being read; nil before and behind it. Lines behind a head are trailers of a body, which have no use.
    private var head: Head?
    private var byteCount = 0

    /// Reads a line with its end. Heads of interim answers are left out.
    mutating func receive(_ line: some Collection<UInt8>) -> Outcome {
        byteCount += line.count
        guard byteCount <= Self.byteLimit else { return .tooLong }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            let words = text.trimmed.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
            head = Head(status: words.count > 1 ? Int(words[1]) ?? 0 : 0)
        } else if text.trimmed.isEmpty {
            defer { (head, byteCount) = (nil, 0) }
            if let head, !(100..<200).contains(head.status) { return .complete(head) }
        } else if text.first != " ", text.first != "\t", let colon = text.firstIndex(of: ":") {
            let (name, value) = (text[..<colon].lowercased(), String(text[text.index(after: colon)...]).trimmed)
            guard Self.names.contains(name) else { return .more }
            let joined = head?.fields[name].map { "\($0), \(value)" } ?? value
            head?.fields[name] = joined
        }
        return .more
    }
}

extension String {
    /// The text without white space and control characters at its ends.
    var trimmed: String {
        let isKept = { (byte: UInt8) in byte > 0x20 }
        guard let first = utf8.firstIndex(where: isKept), let last = utf8.lastIndex(where: isKept) else { return "" }
        return String(self[first...last])
    }
}
