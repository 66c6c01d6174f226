import Foundation
import ThumbwheelCore

/// Computes how far ahead of the screen images must be ready, so that the scroll does not overtake their rendering.
///
/// A fling that begins at speed *v* and keeps the fraction *d* of its speed each millisecond comes to rest after a
/// distance of *v / k*, where *k = −ln d*. If images are made as fast as a scroll at speed *c* needs them, only *(v −
/// c) / k* of that distance must be ready in advance. Several flings in a row need more. Their need is measured: it is
/// the distance by which the view has been ahead of the images that could be made.
struct ScrollReach: Sendable {
    /// The time allowed for an image, as a multiple of the mean latency, because some renders take longer than the mean
    /// and an image may wait for others.
    private static let latencies = 3.0
    private static let frameMilliseconds = 1000.0 / 60
    /// The lowest top speed that is assumed, in screens per second.
    private static let leastSpeed = 1.0

    /// The highest speed that is expected, in pixels per millisecond; nil before the first update.
    private var topSpeed: Double?
    /// The distance by which the view is ahead of the images that could have been made, in pixels; below, its recent
    /// maximum.
    private var deficit = 0.0
    private var worstDeficit = 0.0
    /// The last result of `update`, in pixels.
    private var pixels = 0.0

    /// - Returns: the distance beyond the screen within which images must be ready, in pixels.
    mutating func update(
        for motion: ScrollMotion, after step: ScrollMotion.Step, in layout: any ScrollLayout, supply: GridSupply?,
        parameters: ScrollPlanner.Parameters
    ) -> Double {
        let screen = layout.screenLength
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
        let lead = speed * (Self.latencies * supply.latencyMilliseconds + Self.frameMilliseconds) + layout.lineLength
        let needed = min(most, max(least, parameters.caution * max(fling, worstDeficit) + lead))
        // The reach shrinks only if it has become clearly smaller. Otherwise rows that leave the window and come back
        // would be prepared twice.
        if needed > pixels {
            pixels = needed
        } else if needed < pixels - 1.5 * layout.lineLength {
            pixels = needed + layout.lineLength / 2
        }
        return pixels
    }
}
