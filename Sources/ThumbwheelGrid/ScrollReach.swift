import Foundation
import ThumbwheelCore

/// How far ahead images are to be ready, lest the scroll overtake their making.
///
/// A fling that begins at *v* and keeps *d* of its speed each millisecond comes to rest *v / k* farther, *k = −ln d*. Where
/// images are made as fast as a scroll at *c* needs them, no more of that way has to be ready beforehand than
/// *(v − c) / k*. Flings that follow one another need more, but what they need shows: it is how far the view has ever run
/// ahead of what could be made meanwhile.
struct ScrollReach: Sendable {
    /// How many latencies an image may take: renders differ, and others may be before it.
    private static let latencies = 3.0
    private static let frameMilliseconds = 1000.0 / 60
    /// Screens a second that are reckoned with at least.
    private static let leastSpeed = 1.0

    /// The speed to reckon with, in pixels a millisecond; nil before the first look.
    private var topSpeed: Double?
    /// How far the view is ahead of what could be made, in pixels, and the most that it was lately.
    private var deficit = 0.0
    private var worstDeficit = 0.0
    /// What was answered last.
    private var pixels = 0.0

    /// - Returns: pixels beyond the screen.
    mutating func update(
        for motion: ScrollMotion, after step: ScrollMotion.Step, in layout: GridLayout, supply: GridSupply?,
        parameters: ScrollPlanner.Parameters
    ) -> Double {
        let screen = Double(layout.viewport.height)
        let most = parameters.screensAhead * screen
        let least = min(most, parameters.leastScreensAhead * screen)
        guard !motion.isRacing(in: layout) else { return least }
        let fading = exp2(-step.milliseconds / 1000 / parameters.halfLife)
        let expected = topSpeed.map { $0 * fading } ?? parameters.topSpeed * screen / 1000
        let speed = max(motion.speed, expected, Self.leastSpeed * screen / 1000)
        topSpeed = speed
        guard let supply else { return most }
        let pace = supply.pace(in: layout)
        deficit = min(max(0, deficit + step.pixels - pace * step.milliseconds), most)
        worstDeficit = max(deficit, worstDeficit * fading)
        let fling = (speed - pace) / -log(parameters.decelerationRate)
        let lead = speed * (Self.latencies * supply.latencyMilliseconds + Self.frameMilliseconds) + layout.cellSide
        let needed = min(most, max(least, parameters.caution * max(fling, worstDeficit) + lead))
        // Rows that go and come back again would be work for nothing: it shrinks when it is sure to.
        if needed > pixels {
            pixels = needed
        } else if needed < pixels - 1.5 * layout.cellSide {
            pixels = needed + layout.cellSide / 2
        }
        return pixels
    }
}
