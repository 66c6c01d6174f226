import Foundation

/// Maps the light of high dynamic range into the range up to a page's white, which is 1 here.
///
/// The white of text and paper in such pictures is 203 cd/m² (ITU-R BT.2408, 2.1); it maps to the screen's own white.
/// ITU-R BT.2390's roll-off (5.4.1) keeps light up to 43 % of that white as it is. From there to 1000 cd/m², for which
/// most such pictures are graded, a smooth curve compresses light to at most 1. Brighter light is white.
enum ToneMap {
    /// The reference white, in cd/m².
    static let white = 203.0
    /// The brightest light that is told apart from others, in cd/m².
    static let peak = 1000.0

    /// The mapped light, from 0 to 1, for light in units of the reference white.
    static func level(_ light: Double) -> Double {
        let top = CodedTransfer.pqSample(peak)
        let target = CodedTransfer.pqSample(white) / top
        let knee = 1.5 * target - 0.5
        let sample = min(1, CodedTransfer.pqSample(light * white) / top)
        guard sample > knee else { return light }
        // A cubic from the knee to the target: at the knee it has the samples' own slope, at the target it is flat.
        let t = (sample - knee) / (1 - knee)
        let (square, cube) = (t * t, t * t * t)
        let mapped =
            (2 * cube - 3 * square + 1) * knee + (cube - 2 * square + t) * (1 - knee)
            + (3 * square - 2 * cube) * target
        return min(1, CodedTransfer.pqLight(mapped * top) / white)
    }

    /// The factor from the scene's light to a display's light, in units of the reference white, on a screen of `peak`
    /// (ITU-R BT.2100, table 5).
    static func displayGain(sceneLuminance: Double) -> Double { pow(max(0, sceneLuminance), 0.2) * peak / white }
}
