import ThumbwheelCore
import ThumbwheelScheduling

/// A job on a worker.
package struct RenderAssignment: Sendable {
    package let worker: Int
    package let job: JobID
    package let key: RenditionKey
    /// What else is to be made of the same decode.
    package let companions: [RenditionKey]
    package var work: RenderWork
    package let source: RenderSource
    /// Cancelled where the pipeline wants the job stopped.
    package let token: CancellationToken
    /// The tier for which the input is to be packed, if that is all that is to be done.
    package var packingTier: MemoryTier?

    package var isPacking: Bool { packingTier != nil }

    /// All that is to be made.
    package var keys: [RenditionKey] { isPacking ? [] : [key] + companions }

    /// The cached rendition that it is made of, where there is one.
    package var input: RenderInput? { source.input }

    /// The file, where it came over the network.
    package var bytes: FetchedBytes? { source.bytes }
}
