/// Gathers the lines of an answer's head.
struct HTTPHeadReader {
    struct Head {
        var status: Int
        /// The fields by their names in lower case. The values of a field that comes several times are joined by commas.
        var fields: [String: String] = [:]

        /// Whether the answer only points to another address.
        var isRedirection: Bool { [301, 302, 303, 307, 308].contains(status) && fields["location"] != nil }
    }

    /// The head that is being read; nil before and behind it. Lines behind a head are trailers of a body, which have no use.
    private var head: Head?

    /// Reads a line with its end.
    ///
    /// - Returns: the head, if this line completes it. Heads of interim answers are left out.
    mutating func receive(_ line: some Collection<UInt8>) -> Head? {
        let text = String(decoding: line, as: UTF8.self).trimmed
        if text.hasPrefix("HTTP/") {
            let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
            head = Head(status: words.count > 1 ? Int(words[1]) ?? 0 : 0)
        } else if text.isEmpty {
            defer { head = nil }
            return head.flatMap { (100..<200).contains($0.status) ? nil : $0 }
        } else if let colon = text.firstIndex(of: ":") {
            let (name, value) = (text[..<colon].lowercased(), String(text[text.index(after: colon)...]).trimmed)
            let joined = head?.fields[name].map { "\($0), \(value)" } ?? value
            head?.fields[name] = joined
        }
        return nil
    }
}

extension String {
    fileprivate var trimmed: String {
        let isKept = { (byte: UInt8) in byte > 0x20 }
        guard let first = utf8.firstIndex(where: isKept), let last = utf8.lastIndex(where: isKept) else { return "" }
        return String(self[first...last])
    }
}
