import Thumbwheel

/// The places from which the final images of a run's cells came.
public struct ImageOrigins: Sendable, Equatable {
    /// Cells whose final image was rendered by the process that delivered it.
    public var rendered = 0
    /// Cells whose final image was found in the store on disk.
    public var stored = 0
    /// Cells whose final image was found in the store that servers share.
    public var shared = 0
    /// Cells whose final image was in memory when it was asked for, wherever it had come from before.
    public var inMemory = 0

    /// Makes counts that are all 0.
    public init() {}

    /// The number of cells that got a final image.
    public var count: Int { rendered + stored + shared }

    mutating func note(_ info: ImageInfo) {
        if info.source == .cache { inMemory += 1 }
        switch info.storageTier {
        case nil: rendered += 1
        case .disk: stored += 1
        case .shared: shared += 1
        }
    }

    static func += (left: inout ImageOrigins, right: ImageOrigins) {
        left.rendered += right.rendered
        left.stored += right.stored
        left.shared += right.shared
        left.inMemory += right.inMemory
    }
}
