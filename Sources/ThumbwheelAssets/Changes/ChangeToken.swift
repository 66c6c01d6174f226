/// A moment in the history of one library, as an opaque value. It remains valid when the program starts again, and is
/// not valid for another library. See <doc:Semantics#Change-tokens>.
public struct ChangeToken: Sendable, Hashable, Codable {
    let timeline: UInt64
    let number: UInt64
}
