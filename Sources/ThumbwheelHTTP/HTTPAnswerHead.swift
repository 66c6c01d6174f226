/// The facts in the head of an answer that a transfer uses.
struct HTTPAnswerHead {
    /// The field `Content-Range`: a part of the file and the file's length in bytes; either may be unknown (RFC 9110, 14.4).
    struct ContentRange: Equatable {
        var part: Range<Int>?
        var total: Int?

        /// Reads the text of the field; nil if it is not valid.
        init?(_ text: some StringProtocol) {
            let words = text.split(separator: " ", omittingEmptySubsequences: true)
            guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
            let sides = words[1].split(separator: "/", omittingEmptySubsequences: false)
            guard sides.count == 2 else { return nil }
            if sides[1] != "*" {
                guard let total = Self.number(sides[1]) else { return nil }
                self.total = total
            }
            guard sides[0] != "*" else { return }
            let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false).map { Self.number($0) }
            guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < .max,
                last < total ?? .max
            else { return nil }
            part = first..<last + 1
        }

        /// Reads a number; nil unless the text consists of digits only and fits into an `Int`.
        private static func number(_ text: some StringProtocol) -> Int? {
            text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
        }
    }

    var status: Int
    var contentLength: Int?
    /// Whether the answer states several lengths that differ, so that its end is not known (RFC 9112, 6.3).
    var hasContradictoryLengths = false
    var contentRange: ContentRange?
    /// Whether the body is compressed, although no compression was requested. Lengths and offsets then count bytes of the
    /// compressed form.
    var isEncoded = false
    /// The answer's entity tag, or else its date of modification.
    var validator: String?
    var retryAfter: Duration?

    init(status: Int) {
        self.status = status
    }

    /// - Parameter fields: the fields by their names in lower case, without white space around the values.
    init(status: Int, fields: [String: String]) {
        self.status = status
        let lengths = (fields["content-length"] ?? "").split(separator: ",").map { String($0).trimmed }
        hasContradictoryLengths = Set(lengths).count > 1
        contentLength = lengths.first.flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
        contentRange = fields["content-range"].flatMap { ContentRange($0) }
        isEncoded = !["", "identity"].contains(fields["content-encoding"]?.lowercased() ?? "")
        // A validator goes back to the server in a field, which a control character would end.
        validator = (fields["etag"] ?? fields["last-modified"]).flatMap { $0.hasControlCharacter ? nil : $0 }
        // Only a number of seconds is read. The form with a date would need a clock and is ignored, so the usual pause applies.
        retryAfter = fields["retry-after"].flatMap { UInt32($0) }.map { .seconds($0) }
    }
}
