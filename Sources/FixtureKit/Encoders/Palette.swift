/// A fixed palette of 8 reds, 8 greens and 4 blues with ordered dithering: plain, and the same everywhere.
enum Palette {
    /// 256 colours of three bytes.
    static let colours: [UInt8] = (0..<256).flatMap { (index: Int) -> [UInt8] in
        [UInt8((index >> 5) * 255 / 7), UInt8((index >> 2 & 7) * 255 / 7), UInt8((index & 3) * 255 / 3)]
    }

    /// One index per pixel.
    static func indices(_ raster: Raster) -> Raster {
        precondition(raster.channels == 3, "only RGB is dithered")
        return raster.mapped(channels: 1) { rgb, index, x, y in
            let threshold = bayer[(y & 3) * 4 + (x & 3)] * 16 + 8
            let red = (Int(rgb[0]) * 7 + threshold) / 256
            let green = (Int(rgb[1]) * 7 + threshold) / 256
            let blue = (Int(rgb[2]) * 3 + threshold) / 256
            index[0] = UInt8(red << 5 | green << 2 | blue)
        }
    }

    private static let bayer = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]
}
