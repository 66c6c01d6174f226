/// An RGB colour space, from its published chromaticities, white point and transfer curve.
package struct RGBSpace: Sendable, Hashable {
    /// The name in a profile's description.
    package var name: String
    let red: Chromaticity
    let green: Chromaticity
    let blue: Chromaticity
    let curve: TransferCurve

    struct Chromaticity: Sendable, Hashable {
        let x: Double
        let y: Double

        /// XYZ at a luminance of one.
        var tristimulus: Vector3 { Vector3(x: x / y, y: 1, z: (1 - x - y) / y) }
    }

    /// IEC 61966-2-1 with the primaries of ITU-R BT.709.
    package static let sRGB = RGBSpace(
        name: "sRGB IEC61966-2.1", red: Chromaticity(x: 0.64, y: 0.33), green: Chromaticity(x: 0.30, y: 0.60),
        blue: Chromaticity(x: 0.15, y: 0.06), curve: .sRGB)
    /// The primaries of SMPTE EG 432-1 with sRGB's white and curve.
    package static let displayP3 = RGBSpace(
        name: "Display P3", red: Chromaticity(x: 0.68, y: 0.32), green: Chromaticity(x: 0.265, y: 0.69),
        blue: Chromaticity(x: 0.15, y: 0.06), curve: .sRGB)
    /// Adobe RGB (1998) Color Image Encoding, version 2005-05.
    package static let adobeRGB = RGBSpace(
        name: "Adobe RGB (1998)", red: Chromaticity(x: 0.64, y: 0.33), green: Chromaticity(x: 0.21, y: 0.71),
        blue: Chromaticity(x: 0.15, y: 0.06), curve: .adobeRGB)

    /// D65, the white of all three.
    static let white = Chromaticity(x: 0.3127, y: 0.3290).tristimulus
    /// D50 as ICC profiles state it.
    static let profileWhite = Vector3(x: 0.9642, y: 1, z: 0.8249)

    /// From linear RGB to XYZ under D65: each primary is scaled so that together they make white.
    var toXYZ: Matrix3 {
        let primaries = Matrix3(first: red.tristimulus, second: green.tristimulus, third: blue.tristimulus)
        return primaries * .diagonal(primaries.inverse * Self.white)
    }

    /// Bradford's adaptation from D65 to D50 (ICC.1:2010, annex E).
    static var adaptation: Matrix3 {
        let bradford = Matrix3(
            first: Vector3(x: 0.8951, y: -0.7502, z: 0.0389), second: Vector3(x: 0.2664, y: 1.7135, z: -0.0685),
            third: Vector3(x: -0.1614, y: 0.0367, z: 1.0296))
        let from = bradford * white
        let to = bradford * profileWhite
        let gain = Matrix3.diagonal(Vector3(x: to.x / from.x, y: to.y / from.y, z: to.z / from.z))
        return bradford.inverse * gain * bradford
    }
}
