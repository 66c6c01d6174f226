import ThumbwheelCore
import ThumbwheelScheduling

/// The task of running a job on a worker.
package struct RenderAssignment: Sendable {
    package let worker: Int
    package let job: JobID
    package let key: RenditionKey
    /// The other renditions that are to be made of the same decode.
    package let companions: [RenditionKey]
    package var work: RenderWork
    package let source: RenderSource
    /// The token that the pipeline cancels to stop the job.
    package let token: CancellationToken
    /// The tier for which the input is to be packed into fewer bytes; nil if renditions are to be made.
    package var packingTier: MemoryTier?

    package var isPacking: Bool { packingTier != nil }

    /// The keys of all renditions that are to be made; none for a packing.
    package var keys: [RenditionKey] { isPacking ? [] : [key] + companions }

    /// The cached rendition from which the job starts; nil if it starts from the photograph.
    package var input: RenderInput? { source.input }

    /// The bytes of the file, if the file came over the network.
    package var bytes: FetchedBytes? { source.bytes }
}
