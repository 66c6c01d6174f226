import Foundation

/// A tone map from the light of high dynamic range to the range from 0 to 1, in which 1 is the white of the screen.
///
/// In pictures of high dynamic range, text and paper have a white of 203 cd/m² (ITU-R BT.2408, 2.1). Light is measured
/// in units of this reference white. The map is the roll-off of ITU-R BT.2390 (5.4.1):
///
/// - Light up to 43 % of the reference white is unchanged.
/// - A smooth curve compresses brighter light, so that the reference white becomes 0.78.
/// - The curve reaches 1 at 1000 cd/m², the brightest light for which most of these pictures are graded.
/// - Even brighter light is white.
enum ToneMap {
    /// The reference white, in cd/m².
    static let white = 203.0
    /// The light in cd/m² that is mapped to white; brighter light is white as well.
    static let peak = 1000.0

    /// The mapped light, from 0 to 1, for light in units of the reference white.
    static func level(_ light: Double) -> Double {
        let top = CodedTransfer.pqSample(peak)
        let target = CodedTransfer.pqSample(white) / top
        let knee = 1.5 * target - 0.5
        let sample = min(1, CodedTransfer.pqSample(light * white) / top)
        guard sample > knee else { return light }
        // Between the knee, where compression begins, and the peak (`sample` = 1), the curve is a cubic. It leaves the
        // knee with slope 1, and reaches the value `target` at the peak with slope 0.
        let t = (sample - knee) / (1 - knee)
        let (square, cube) = (t * t, t * t * t)
        let mapped =
            (2 * cube - 3 * square + 1) * knee + (cube - 2 * square + t) * (1 - knee)
            + (3 * square - 2 * cube) * target
        return min(1, CodedTransfer.pqLight(mapped * top) / white)
    }

    /// The factor that converts HLG's light of the scene to the light of a screen (ITU-R BT.2100, table 5). The light
    /// of the screen is in units of the reference white, and its maximum is `peak`.
    static func displayGain(sceneLuminance: Double) -> Double { pow(max(0, sceneLuminance), 0.2) * peak / white }
}
