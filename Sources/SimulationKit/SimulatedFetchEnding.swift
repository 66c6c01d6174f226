import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

/// How a fetch ends.
package enum SimulatedFetchEnding: String, Codable, Sendable {
    case bytes, failure, stop
}
