import ThumbwheelCore
import ThumbwheelScheduling

/// A cached image on its way to fewer bytes: one at a time, on a worker that has nothing else to do.
struct Packing: Sendable {
    let id: JobID
    let input: RenderInput
    /// The tier that it goes to.
    let tier: MemoryTier
    let token: CancellationToken
    let reservation: Reservation
}
