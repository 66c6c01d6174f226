/// An identifier of a photograph that is the same on every machine, because it is computed from the bytes of the
/// original. See <doc:Semantics#Cloud-identifiers>.
public struct CloudIdentifier: Hashable, Sendable {
    /// The identifier as text, which can be stored and sent.
    public let stringValue: String

    /// Makes an identifier from its text. If the text is not the `stringValue` of a cloud identifier, no asset has the
    /// identifier.
    public init(stringValue: String) {
        self.stringValue = stringValue
    }

    /// Makes the identifier of an original from its digest and its length.
    ///
    /// - Parameter byteCount: the length of the original in bytes. The identifier contains it, so that a search for the
    ///   identifier need not read originals of other lengths.
    init(_ digest: ContentDigest, byteCount: Int) {
        func text(_ word: UInt64) -> String {
            let digits = String(word, radix: 16, uppercase: true)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        stringValue = text(digest.high) + text(digest.low) + ":" + String(byteCount)
    }

    /// The length of the original in bytes, which is a part of the text. Nil if the text does not have the form of a
    /// cloud identifier.
    var byteCount: Int? {
        let parts = stringValue.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count == 32 else { return nil }
        return Int(String(decoding: parts[1], as: UTF8.self))
    }
}
