/// A job of a scheduler: a slot and how many jobs the slot has held before, so that no identifier is used twice.
public struct JobID: Hashable, Sendable {
    /// Small and dense: an owner can keep what it knows of a job in an array.
    public let slot: Int
    let generation: Int
}
