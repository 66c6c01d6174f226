import ThumbwheelPipeline
import ThumbwheelScheduling

package struct SimulatedRequest: Codable, Sendable {
    var number: Int
    var picture: SimulatedPicture
    var mode: DeliveryMode
    var priority: RequestPriority
    var urgency: Double
    /// From the submission on; not above 0 where it has passed by then.
    var deadlineMicroseconds: Int?
    var isNetworkAccessAllowed = true
    /// Whether a file is wanted, not pixels.
    var isEncoded = false
    var allowsSecondDegraded = false
    /// Whether the cache is asked for the answer before the request is submitted, as the manager asks it.
    var asksCacheFirst = false
    /// Whether it was cancelled before it was made.
    var isCancelledBefore = false
}
