/// An opaque mark of a point in the history of one library. It can be kept across restarts, and means nothing to
/// another library. See <doc:Semantics#Change-tokens>.
public struct ChangeToken: Sendable, Hashable, Codable {
    let timeline: UInt64
    let number: UInt64
}
