import ThumbwheelCore
import ThumbwheelScheduling

/// The bytes of a file that came over a network.
package struct FetchedBytes: Sendable {
    /// Nil in simulated runs.
    package let source: (any ByteSource)?
    package let byteCount: Int

    package init(source: (any ByteSource)?, byteCount: Int) {
        self.source = source
        self.byteCount = byteCount
    }
}

/// Bytes to be brought.
package struct FetchAssignment: Sendable {
    package let id: JobID
    package let subject: RenditionKey.Subject
    package var work: RenderWork
    /// Cancelled where the pipeline wants the fetch stopped.
    package let token: CancellationToken
}

/// How a fetch ended.
package enum FetchOutcome: Sendable {
    case bytes(FetchedBytes)
    case failed(ImageRequestError)
    /// Cut short because it was told to stop.
    case stopped
}
