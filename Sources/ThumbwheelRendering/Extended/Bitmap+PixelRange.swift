import ThumbwheelCore

extension Bitmap {
    /// Returns the bitmap in sRGB with 8 bits for each channel; a bitmap that has this format already is returned as it
    /// is.
    ///
    /// - If the luminance of any pixel is higher than that of white, the picture has a high dynamic range. It is then
    ///   converted by the same tone map as pictures in PQ and HLG, two encodings of high dynamic range. The tone map
    ///   darkens the reference white, so that highlights up to 1000 cd/m² remain distinguishable.
    /// - If no pixel has a higher luminance than white, no tone map is applied. Only colours outside sRGB are clipped.
    ///   Such a colour can have a channel above 1 and still be darker than white.
    /// - The result has alpha only if a pixel is not opaque.
    public func inStandardRange() -> Bitmap {
        guard format == .linearRGBA else { return self }
        return withUnsafeBytes { source in
            let summary = LightSummary(source)
            let result = summary.isOpaque ? PixelFormat.rgb : .rgba
            return Bitmap(size: size, format: result) { target in
                let step = result.bytesPerPixel
                TransferCurve.encoded.withUnsafeBufferPointer { encoded in
                    @inline(__always) func level(_ light: Float) -> UInt8 {
                        encoded[Int((max(0, min(1, light)) * 65535).rounded())]
                    }
                    for index in 0..<size.pixelCount {
                        let color = HalfFloat.color(at: source.baseAddress! + index * 8)
                        var light = SIMD3(color.x, color.y, color.z)
                        if summary.isBright { light = HighDynamicRange.toned(light) }
                        target[index * step] = level(light.x)
                        target[index * step + 1] = level(light.y)
                        target[index * step + 2] = level(light.z)
                        if step == 4 { target[index * step + 3] = UInt8(max(0, min(1, color.w)) * 255 + 0.5) }
                    }
                }
            }
        }
    }

    /// The bitmap in linear light; a bitmap that has this format already is returned as it is. Channels that had 8 bits
    /// still have at most 256 different values.
    func inExtendedRange() -> Bitmap {
        guard format != .linearRGBA else { return self }
        return withUnsafeBytes { source in
            Bitmap(size: size, format: .linearRGBA) { target in
                let step = format.bytesPerPixel
                let pixels = target.bindMemory(to: UInt64.self)
                let levels = TransferCurve.linear
                for index in pixels.indices {
                    let place = index * step
                    let alpha = step == 4 ? Float(source[place + 3]) / 255 : 1
                    pixels[index] = HalfFloat.pixel(
                        SIMD4(
                            levels[Int(source[place])], levels[Int(source[place + 1])], levels[Int(source[place + 2])],
                            alpha))
                }
            }
        }
    }
}
