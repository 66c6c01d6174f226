import ThumbwheelCore
import ThumbwheelScheduling

/// The packing of a cached image into fewer bytes. Only one image is packed at a time, on a worker that has nothing
/// else to do.
struct Packing: Sendable {
    let id: JobID
    let input: RenderInput
    /// The tier that the packed image goes to.
    let tier: MemoryTier
    let token: CancellationToken
    let reservation: Reservation
}
