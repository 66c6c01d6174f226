/// The identifier of a job in a scheduler. It consists of a slot number and a generation, which is the number of jobs
/// that have been in the slot before. An identifier is used again only after four thousand million jobs in its slot. By
/// then nothing refers to the earlier job.
///
/// An identifier takes only eight bytes, because hundreds of thousands of requests may each store the identifier of the
/// job that they wait for.
///
/// The type is public, although no product exports it, because Swift does not inline functions of `package` access in
/// other modules. A queued request compares and hashes identifiers so often that it would take 2 % more instructions.
public struct JobID: Hashable, Sendable {
    private let place: UInt32
    let generation: UInt32

    /// The identifier that stands for no job. It never equals the identifier of a job, because no slot has its number.
    package static let none = JobID(slot: Int(UInt32.max), generation: 0)

    init(slot: Int, generation: UInt32) {
        place = UInt32(slot)
        self.generation = generation
    }

    /// The number of the job's slot. Slot numbers are small and dense, so an owner can store its data about jobs in an
    /// array.
    public var slot: Int { Int(place) }
}
