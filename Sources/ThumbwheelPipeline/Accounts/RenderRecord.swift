import ThumbwheelAssets
import ThumbwheelCore

/// One run of a render, for those who account for wasted work.
package struct RenderRecord: Sendable {
    package enum End: Sendable {
        case finished, failed, stopped
    }

    package let renderNumber: UInt64
    package let asset: AssetIdentifier
    package let start: MonotonicTime
    package let finish: MonotonicTime
    package let end: End
}
