import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

package struct SimulatedWindowEntry: Codable, Sendable {
    var picture: SimulatedPicture
    var urgency: Double
}
