import Foundation

/// Writes result documents with sorted keys, so that equal results have equal bytes.
public enum DocumentCoding {
    /// Returns the document as indented JSON with sorted keys and a final line break.
    public static func encode(_ document: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(document) + Data("\n".utf8)
    }
}
