import Thumbwheel
import ThumbwheelReplay

/// One setting at several values.
struct SweptValues {
    let key: ReplaySweep.Key
    let values: [Int]
}
