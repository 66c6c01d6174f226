/// Eight-bit pixels in rows without padding.
package struct Raster: Sendable, Hashable {
    package var width: Int
    package var height: Int
    /// Bytes per pixel: 1 grey, 3 RGB, 4 RGBA or CMYK.
    package var channels: Int
    package var bytes: [UInt8]

    package init(width: Int, height: Int, channels: Int, bytes: [UInt8]) {
        precondition(bytes.count == width * height * channels, "the bytes do not fill the picture")
        self.width = width
        self.height = height
        self.channels = channels
        self.bytes = bytes
    }

    /// The scene in RGB.
    package init(_ scene: Scene, width: Int, height: Int) {
        self.init(width: width, height: height, channels: 3, bytes: scene.rgb(width: width, height: height))
    }

    /// Builds a picture of the same size by mapping each pixel; `convert` reads one pixel and writes one.
    func mapped(
        channels newChannels: Int, _ convert: (UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>, Int, Int) -> Void
    ) -> Raster {
        let mapped = [UInt8](unsafeUninitializedCapacity: width * height * newChannels) { output, count in
            output.initialize(repeating: 0)
            bytes.withUnsafeBufferPointer { input in
                guard var source = input.baseAddress, var target = output.baseAddress else { return }
                for y in 0..<height {
                    for x in 0..<width {
                        convert(source, target, x, y)
                        source += channels
                        target += newChannels
                    }
                }
            }
            count = width * height * newChannels
        }
        return Raster(width: width, height: height, channels: newChannels, bytes: mapped)
    }

    /// Brightness only (BT.601 weights in 1/256).
    package var grey: Raster {
        mapped(channels: 1) { rgb, grey, _, _ in
            grey[0] = UInt8((Int32(rgb[0]) * 77 + Int32(rgb[1]) * 150 + Int32(rgb[2]) * 29) >> 8)
        }
    }

    /// Inks as Adobe writes them into JPEGs: inverted, 255 being no ink. Three quarters of the common part of cyan,
    /// magenta and yellow are printed black.
    package var adobeCMYK: Raster {
        mapped(channels: 4) { rgb, inks, _, _ in
            let black = (255 - Int32(max(rgb[0], rgb[1], rgb[2]))) * 3 / 4
            for channel in 0..<3 {
                // A later multiplication by black's complement gives the colour back.
                inks[channel] = UInt8(min(255, Int32(rgb[channel]) * 255 / (255 - black)))
            }
            inks[3] = UInt8(255 - black)
        }
    }
}
