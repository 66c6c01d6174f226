import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

/// An event, and the virtual milliseconds since the one before.
package struct SimulatedStep: Codable, Sendable {
    var delay: Double
    var event: SimulatedEvent
}
