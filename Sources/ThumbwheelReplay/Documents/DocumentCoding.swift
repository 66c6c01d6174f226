import Foundation

/// How result documents are written: sorted keys, so that equal results are equal bytes.
public enum DocumentCoding {
    /// The document as indented JSON with sorted keys and a final line break.
    public static func encode(_ document: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(document) + Data("\n".utf8)
    }
}
