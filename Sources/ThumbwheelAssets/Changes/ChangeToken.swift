/// A point in a library's history, to be kept across restarts: opaque, and of this library alone. See
/// <doc:Semantics#Change-tokens>.
public struct ChangeToken: Sendable, Hashable, Codable {
    let timeline: UInt64
    let number: UInt64
}
