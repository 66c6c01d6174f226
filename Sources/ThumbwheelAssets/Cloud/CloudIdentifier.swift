/// An identifier of a photograph that is the same on every machine, because it follows from the bytes of the photograph's
/// original. See <doc:Semantics#Cloud-identifiers>.
public struct CloudIdentifier: Hashable, Sendable {
    /// The identifier as text, to be stored and sent.
    public let stringValue: String

    /// Makes an identifier from its text. A text that no library has written is an identifier that nothing has.
    public init(stringValue: String) {
        self.stringValue = stringValue
    }

    /// - Parameter byteCount: the length of the original in bytes. It tells most originals apart before any is read.
    init(_ digest: ContentDigest, byteCount: Int) {
        func text(_ word: UInt64) -> String {
            let digits = String(word, radix: 16, uppercase: true)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        stringValue = text(digest.high) + text(digest.low) + ":" + String(byteCount)
    }

    /// The length of the original in bytes; nil for a text that no library has written.
    var byteCount: Int? {
        let parts = stringValue.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count == 32 else { return nil }
        return Int(String(decoding: parts[1], as: UTF8.self))
    }
}
