import ThumbwheelCore
import ThumbwheelScheduling

/// The task of running a render job on a worker: making renditions, or packing a cached image into fewer bytes.
package struct RenderAssignment: Sendable {
    package let worker: Int
    package let job: JobID
    package let key: RenditionKey
    /// Other renditions that the worker makes from the same decode.
    package let companions: [RenditionKey]
    package var work: RenderWork
    package let source: RenderSource
    /// The token that the pipeline cancels to stop the job.
    package let token: CancellationToken
    /// The memory tier for which the cached image `input` is packed into fewer bytes; nil if the task is to make
    /// renditions.
    package var packingTier: MemoryTier?

    package var isPacking: Bool { packingTier != nil }

    /// The keys of all renditions to make; none if the task is to pack an image.
    package var keys: [RenditionKey] { isPacking ? [] : [key] + companions }

    /// The cached rendition from which the job starts; nil if it starts from the photograph.
    package var input: RenderInput? { source.input }

    /// The bytes of the file, if the file came over the network.
    package var bytes: FetchedBytes? { source.bytes }
}
