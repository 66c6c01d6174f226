/// Reads pixels for resampling, and writes the resampled pixels as half floats in linear light.
///
/// By default, samples are resampled in the file's own encoding, like the samples of 8-bit images, so that a sharp edge
/// beside a highlight gets no halo. `store` then converts the resampled pixels to linear light. If a request asks for
/// resampling in linear light, `load` converts the pixels before they are resampled.
struct LightPixels {
    /// The formats of the samples in a row.
    enum Samples {
        /// One byte each, from 0 to 255.
        case bytes
        /// Two bytes each in the processor's order, from 0 to 65 535.
        case words
        /// Half floats that are linear light already, in the format `linearRGBA`.
        case halves
    }

    let samples: Samples
    /// The number of samples of a pixel.
    let channels: Int
    /// The conversion of the samples; nil if they are linear light already.
    let light: LightConversion?
    /// Whether pixels are resampled in linear light.
    let isLinear: Bool

    var hasAlpha: Bool { channels == 2 || channels == 4 }

    /// The number of bytes of a pixel of a row.
    var bytesPerPixel: Int { samples == .bytes ? channels : channels * 2 }

    // MARK: Before resampling

    /// Reads the pixels that begin at `row` and fills `line` with them. The colours are ready for resampling, except
    /// that they are not multiplied by alpha yet. Pixels without alpha get an alpha of 1.
    func load(_ row: UnsafePointer<UInt8>, into line: UnsafeMutableBufferPointer<SIMD4<Float>>) {
        switch samples {
        case .bytes: load(row, as: UInt8.self, into: line)
        case .words: load(row, as: UInt16.self, into: line)
        case .halves:
            for index in line.indices { line[index] = HalfFloat.color(at: row + index &* 8) }
        }
        if isLinear {
            light?.apply(to: line)
        } else if light == nil {
            // The samples are linear light here. They are resampled as square roots, so that a sharp edge beside a
            // highlight gets no halo: a square root is close to the way in which other files code light. Light is
            // negative in a channel of some colours outside sRGB; the root of a negative number is taken as minus the
            // root of its magnitude. `store` squares the results.
            for index in line.indices {
                let color = line[index]
                line[index] = SIMD4(Self.root(color.x), Self.root(color.y), Self.root(color.z), color.w)
            }
        }
    }

    @inline(__always)
    private func load<Sample: FixedWidthInteger & UnsignedInteger>(
        _ row: UnsafePointer<UInt8>, as type: Sample.Type, into line: UnsafeMutableBufferPointer<SIMD4<Float>>
    ) {
        let scale = 1 / Float(Sample.max)
        let width = MemoryLayout<Sample>.size
        let step = channels >= 3 ? width : 0
        let (hasAlpha, last, pitch) = (hasAlpha, (channels - 1) * width, channels * width)
        var pixel = UnsafeRawPointer(row)
        for index in line.indices {
            @inline(__always) func sample(_ offset: Int) -> Float {
                Float(pixel.loadUnaligned(fromByteOffset: offset, as: Sample.self)) * scale
            }
            line[index] = SIMD4(sample(0), sample(step), sample(2 &* step), hasAlpha ? sample(last) : 1)
            pixel += pitch
        }
    }

    /// Multiplies the colours of pixels by their alpha.
    func premultiply(_ line: UnsafeMutableBufferPointer<SIMD4<Float>>) {
        guard hasAlpha else { return }
        for index in line.indices {
            let color = line[index]
            var product = color * color.w
            product.w = color.w
            line[index] = product
        }
    }

    // MARK: After resampling

    /// Divides the colours of resampled pixels by their alpha.
    func unpremultiply(_ line: UnsafeMutableBufferPointer<SIMD4<Float>>) {
        for index in line.indices {
            var color = line[index]
            let alpha = hasAlpha ? max(0, min(1, color.w)) : 1
            // The kernel's overshoot may leave a little alpha where there was none. The colour of such a pixel has no
            // meaning.
            if hasAlpha { color = alpha > 1 / 512 ? color / alpha : .zero }
            color.w = alpha
            line[index] = color
        }
    }

    /// Writes resampled pixels as half floats in linear light. Converts them to linear light first, if `load` has not
    /// done so.
    func store(_ line: UnsafeMutableBufferPointer<SIMD4<Float>>, into target: UnsafeMutablePointer<UInt64>) {
        if !isLinear {
            if let light {
                light.apply(to: line)
            } else {
                for index in line.indices {
                    let color = line[index]
                    line[index] = SIMD4(
                        color.x * color.x.magnitude, color.y * color.y.magnitude, color.z * color.z.magnitude, color.w)
                }
            }
        }
        for index in line.indices { target[index] = HalfFloat.pixel(line[index]) }
    }

    @inline(__always)
    private static func root(_ light: Float) -> Float {
        light < 0 ? -(-light).squareRoot() : light.squareRoot()
    }
}
