import Foundation

/// Brings the light of high dynamic range within what a page's white is.
///
/// The white of text and paper is 203 cd/m² in such pictures (ITU-R BT.2408, 2.1), and as bright as any screen's own white:
/// that is 1 here. ITU-R BT.2390's roll-off (5.4.1) leaves all as it is up to 43 % of it, and brings what is between that and
/// 1000 cd/m², for which such pictures are graded by most, below 1 by a smooth curve. What is brighter is white.
enum ToneMap {
    /// Of reference white, in cd/m².
    static let white = 203.0
    /// Of the brightest light that is told from others, in cd/m².
    static let peak = 1000.0

    /// Light from 0 to 1, of light in units of the reference white.
    static func level(_ light: Double) -> Double {
        let top = CodedTransfer.pqSample(peak)
        let target = CodedTransfer.pqSample(white) / top
        let knee = 1.5 * target - 0.5
        let sample = min(1, CodedTransfer.pqSample(light * white) / top)
        guard sample > knee else { return light }
        // A cubic from the knee, where it rises like the samples do, to the target, where it is flat.
        let t = (sample - knee) / (1 - knee)
        let (square, cube) = (t * t, t * t * t)
        let mapped =
            (2 * cube - 3 * square + 1) * knee + (cube - 2 * square + t) * (1 - knee)
            + (3 * square - 2 * cube) * target
        return min(1, CodedTransfer.pqLight(mapped * top) / white)
    }

    /// The display's light for a scene's, in units of the reference white for each of the scene's, on a screen of `peak`
    /// (ITU-R BT.2100, table 5).
    static func displayGain(sceneLuminance: Double) -> Double { pow(max(0, sceneLuminance), 0.2) * peak / white }
}
