/// A job of a scheduler: a slot and how many jobs the slot has held before, so that no identifier is used twice while
/// anybody can still know its former use: not within four thousand million jobs of one slot.
///
/// Eight bytes: hundreds of thousands of requests may each name the job that they wait for.
///
/// Public, though no product offers it: Swift does not inline functions of `package` access in other modules, and a queued
/// request compares and hashes identifiers often enough to take 2 % more instructions then.
public struct JobID: Hashable, Sendable {
    private let place: UInt32
    let generation: UInt32

    /// Fills the place of an identifier where there is no job. It equals no job's, because no slot has its
    /// number.
    package static let none = JobID(slot: Int(UInt32.max), generation: 0)

    init(slot: Int, generation: UInt32) {
        place = UInt32(slot)
        self.generation = generation
    }

    /// Small and dense: an owner can keep what it knows of a job in an array.
    public var slot: Int { Int(place) }
}
