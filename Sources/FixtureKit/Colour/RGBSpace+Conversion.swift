extension RGBSpace {
    /// The sRGB pixels of `raster` as this space stores them, so that a colour-managed viewer shows the same picture.
    package func encoding(_ raster: Raster) -> Raster {
        precondition(raster.channels == 3, "only RGB is converted")
        let matrix = toXYZ.inverse * RGBSpace.sRGB.toXYZ
        // Fixed point with 14 bits of fraction; linear light has 16 bits, so sums stay within 32.
        func fixed(_ value: Double) -> Int32 { Int32((value * 16384).rounded()) }
        let weights = [
            fixed(matrix.first.x), fixed(matrix.second.x), fixed(matrix.third.x),
            fixed(matrix.first.y), fixed(matrix.second.y), fixed(matrix.third.y),
            fixed(matrix.first.z), fixed(matrix.second.z), fixed(matrix.third.z),
        ]
        let linear = RGBSpace.sRGB.curve.linearTable
        let bytes = curve.byteTable
        return raster.mapped(channels: 3) { source, target, _, _ in
            let red = Int64(linear[Int(source[0])])
            let green = Int64(linear[Int(source[1])])
            let blue = Int64(linear[Int(source[2])])
            for channel in 0..<3 {
                let light =
                    red * Int64(weights[channel * 3]) + green * Int64(weights[channel * 3 + 1]) + blue
                    * Int64(weights[channel * 3 + 2])
                let step = min(max((light >> 14) * 4095 / 65535, 0), 4095)
                target[channel] = bytes[Int(step)]
            }
        }
    }
}
