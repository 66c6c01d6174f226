import Foundation

extension ThumbHash {
    /// Reads a hash that `base64EncodedString()` wrote; nil if the text is not a hash.
    public init?(base64Encoded text: String) {
        guard let data = Data(base64Encoded: text) else { return nil }
        self.init(bytes: data)
    }

    /// Returns the bytes as Base64 text of about 28 characters, the form in which hashes are written into web pages and
    /// responses.
    public func base64EncodedString() -> String { Data(bytes).base64EncodedString() }
}

extension ThumbHash: CustomStringConvertible {
    public var description: String { base64EncodedString() }
}

/// A hash is coded as a string in Base64.
extension ThumbHash: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let hash = ThumbHash(base64Encoded: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no ThumbHash in Base64")
        }
        self = hash
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(base64EncodedString())
    }
}
