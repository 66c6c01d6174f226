import ThumbwheelAssets
import ThumbwheelCore

/// The record of one run of a render on a worker. A replay, which runs a recorded series of requests again, computes
/// from these records how much work was wasted.
package struct RenderRecord: Sendable {
    package enum End: Sendable {
        case finished, failed, stopped
    }

    package var renderNumber: UInt64
    package let asset: AssetIdentifier
    package let start: MonotonicTime
    package let finish: MonotonicTime
    package let end: End
}
