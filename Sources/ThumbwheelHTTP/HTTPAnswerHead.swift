import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a transfer looks at in the head of an answer.
struct HTTPAnswerHead {
    /// `Content-Range`: which part of how many bytes; either may be unknown (RFC 9110, 14.4).
    struct ContentRange: Equatable {
        var part: Range<Int>?
        var total: Int?

        /// Nil where the text is of no meaning.
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

        /// Digits only, and few enough.
        private static func number(_ text: some StringProtocol) -> Int? {
            text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
        }
    }

    var status: Int
    var contentLength: Int?
    var contentRange: ContentRange?
    /// Whether the body is compressed, though no compression was asked for. Lengths and offsets then are those of the
    /// compressed form.
    var isEncoded = false
    /// The entity tag, or else the date of modification.
    var validator: String?
    var retryAfter: Duration?

    init(status: Int) {
        self.status = status
    }

    init(_ response: HTTPURLResponse) {
        status = response.statusCode
        contentLength = response.value(forHTTPHeaderField: "Content-Length").flatMap { Int($0) }.flatMap {
            $0 >= 0 ? $0 : nil
        }
        contentRange = response.value(forHTTPHeaderField: "Content-Range").flatMap { ContentRange($0) }
        let encoding = response.value(forHTTPHeaderField: "Content-Encoding")?.trimmingCharacters(in: .whitespaces)
        isEncoded = !["", "identity"].contains(encoding?.lowercased() ?? "")
        validator =
            response.value(forHTTPHeaderField: "ETag") ?? response.value(forHTTPHeaderField: "Last-Modified")
        // The form with a date is not worth a clock: the pause is then as if nothing had been said.
        retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap { UInt32($0) }.map { .seconds($0) }
    }
}
