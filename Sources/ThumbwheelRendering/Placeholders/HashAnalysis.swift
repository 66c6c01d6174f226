import ThumbwheelCore

/// Analyses a picture by a cosine transform with a few low frequencies, and codes the result as a `ThumbHash`.
///
/// The channels are luminance, yellow against blue, red against green, and alpha. Transparent parts are given the mean
/// colour of the visible parts.
struct HashAnalysis {
    /// The frequencies of one channel: the constant part, and the other coefficients. `scale` is the magnitude of the
    /// strongest of the other coefficients. The hash codes each of them as a fraction of `scale`, from −1 to 1.
    private struct Spectrum {
        var constant: Float = 0
        var scale: Float = 0
        var coefficients: [Float] = []
    }

    let hash: ThumbHash

    /// Analyses a bitmap.
    ///
    /// - Parameter shape: the size of the picture that the bitmap shows. The hash states the aspect ratio of this size,
    ///   because that of the bitmap's few pixels is too rough.
    init(_ bitmap: Bitmap, shape: PixelSize) {
        let size = bitmap.size
        let pitch = CosineTable.pitch(size.width)
        let planeCount = pitch * size.height
        let room = CosineTable.frequencyCount * (pitch + CosineTable.pitch(size.height))
        hash = withUnsafeTemporaryAllocation(of: Float.self, capacity: 4 * planeCount + room) { memory in
            let middle = 4 * planeCount + CosineTable.frequencyCount * pitch
            let across = CosineTable(count: size.width, in: .init(rebasing: memory[(4 * planeCount)..<middle]))
            let down = CosineTable(count: size.height, in: .init(rebasing: memory[middle...]))
            let planes = memory.baseAddress!
            let hasAlpha = Self.separate(bitmap, into: planes, pitch: pitch)
            func spectrum(_ plane: Int, _ frequencies: (width: Int, height: Int)) -> Spectrum {
                Self.spectrum(of: planes + plane * planeCount, size, frequencies, across, down)
            }
            let steps = Self.luminanceSteps(shape, hasAlpha: hasAlpha)
            return Self.hash(
                shape, luminanceSteps: steps, luminance: spectrum(0, (max(3, steps.width), max(3, steps.height))),
                yellowness: spectrum(1, (3, 3)), redness: spectrum(2, (3, 3)),
                opacity: hasAlpha ? spectrum(3, (5, 5)) : nil)
        }
    }

    /// Returns the numbers of horizontal and vertical frequencies of luminance that a hash states. Readers of the hash
    /// derive the picture's aspect ratio from these two numbers.
    /// - Along the longer side, the number is 7. If the picture has alpha, it is 5, because alpha takes some of the
    ///   hash's bits.
    /// - Along the shorter side, the number is smaller, in proportion to the side, but at least 1.
    private static func luminanceSteps(_ size: PixelSize, hasAlpha: Bool) -> (width: Int, height: Int) {
        let most: Double = hasAlpha ? 5 : 7
        let longer = Double(max(size.width, size.height))
        func steps(_ side: Int) -> Int { max(1, Int((most * Double(side) / longer).rounded())) }
        return (steps(size.width), steps(size.height))
    }

    // MARK: From pixels to channels

    /// Writes the channels of the bitmap's pixels into `planes`, one plane for each channel.
    ///
    /// - Returns: whether any pixel is transparent; if none is, no plane of alpha is written.
    private static func separate(_ bitmap: Bitmap, into planes: UnsafeMutablePointer<Float>, pitch: Int) -> Bool {
        let (width, height) = (bitmap.size.width, bitmap.size.height)
        let planeCount = pitch * height
        let step = bitmap.format.bytesPerPixel
        let mean = bitmap.format == .rgba ? meanColor(of: bitmap) : nil
        planes.initialize(repeating: 0, count: (mean == nil ? 3 : 4) * planeCount)
        bitmap.withUnsafeBytes { bytes in
            for y in 0..<height {
                var pixel = bytes.baseAddress! + y &* bitmap.bytesPerRow
                for place in y &* pitch..<y &* pitch &+ width {
                    var color = color(pixel)
                    if let mean {
                        let alpha = part(pixel, 3)
                        color = mean * (1 - alpha) + color * alpha
                        planes[3 &* planeCount &+ place] = alpha
                    }
                    planes[place] = (color.x + color.y + color.z) * (1 / 3)
                    planes[planeCount &+ place] = (color.x + color.y) * 0.5 - color.z
                    planes[2 &* planeCount &+ place] = color.x - color.y
                    pixel += step
                }
            }
        }
        return mean != nil
    }

    @inline(__always)
    private static func part(_ pixel: UnsafeRawPointer, _ index: Int) -> Float {
        Float(pixel.load(fromByteOffset: index, as: UInt8.self)) * (1 / 255)
    }

    @inline(__always)
    private static func color(_ pixel: UnsafeRawPointer) -> SIMD3<Float> {
        SIMD3(part(pixel, 0), part(pixel, 1), part(pixel, 2))
    }

    /// The mean colour of the pixels, weighted by their alpha. Transparent parts are filled with it. Nil if no pixel is
    /// transparent, because no part has to be filled then.
    private static func meanColor(of bitmap: Bitmap) -> SIMD3<Float>? {
        var sum = SIMD4<Float>()
        var isOpaque = true
        bitmap.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: bytes.count, by: 4) {
                let pixel = bytes.baseAddress! + offset
                if pixel.load(fromByteOffset: 3, as: UInt8.self) < 255 { isOpaque = false }
                sum += SIMD4(color(pixel), 1) * part(pixel, 3)
            }
        }
        if isOpaque { return nil }
        return sum.w > 0 ? SIMD3(sum.x, sum.y, sum.z) / sum.w : SIMD3()
    }

    // MARK: From channels to frequencies

    private static func spectrum(
        of plane: UnsafePointer<Float>, _ size: PixelSize, _ frequencies: (width: Int, height: Int),
        _ across: CosineTable, _ down: CosineTable
    ) -> Spectrum {
        // The sums of the transform: one vector for each vertical frequency, with one element for each horizontal
        // frequency.
        var sums: (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>) =
            (SIMD8(), SIMD8(), SIMD8(), SIMD8(), SIMD8(), SIMD8(), SIMD8())
        return withUnsafeMutableBytes(of: &sums) { memory in
            let sums = memory.assumingMemoryBound(to: SIMD8<Float>.self)
            for y in 0..<size.height {
                let row = UnsafeRawPointer(plane + y &* across.pitch)
                var line = SIMD8<Float>()
                for column in 0..<frequencies.width {
                    var products = SIMD8<Float>()
                    for x in stride(from: 0, to: across.pitch, by: CosineTable.lanes) {
                        let samples = row.loadUnaligned(
                            fromByteOffset: x &* MemoryLayout<Float>.stride, as: SIMD8<Float>.self)
                        products += samples * across.eight(column, x)
                    }
                    line[column] = products.sum()
                }
                for frequency in 0..<frequencies.height { sums[frequency] += line * down[frequency, y] }
            }
            var spectrum = Spectrum(constant: sums[0][0] / Float(size.pixelCount))
            for row in 0..<frequencies.height {
                for column in (row == 0 ? 1 : 0)..<ThumbHash.rowLength(row, of: frequencies) {
                    let coefficient = sums[row][column] / Float(size.pixelCount)
                    spectrum.coefficients.append(coefficient)
                    spectrum.scale = max(spectrum.scale, abs(coefficient))
                }
            }
            return spectrum
        }
    }

    // MARK: From frequencies to the bits of the hash

    private static func hash(
        _ shape: PixelSize, luminanceSteps: (width: Int, height: Int), luminance: Spectrum, yellowness: Spectrum,
        redness: Spectrum, opacity: Spectrum?
    ) -> ThumbHash {
        var words = SIMD4<UInt64>()
        var bit = 0
        func put(_ value: Int, _ count: Int) {
            words[bit >> 6] |= UInt64(value) << UInt64(bit & 63)
            bit += count
        }
        func put(_ part: Float, of most: Float, _ count: Int) {
            // The value is rounded to the nearest integer, and halves are rounded up.
            put(Int(min(most, max(0, part)) + 0.5), count)
        }
        let isLandscape = shape.width > shape.height
        put(luminance.constant * 63, of: 63, 6)
        put(31.5 + 31.5 * yellowness.constant, of: 63, 6)
        put(31.5 + 31.5 * redness.constant, of: 63, 6)
        put(luminance.scale * 31, of: 31, 5)
        put(opacity == nil ? 0 : 1, 1)
        put(isLandscape ? luminanceSteps.height : luminanceSteps.width, 3)
        put(yellowness.scale * 63, of: 63, 6)
        put(redness.scale * 63, of: 63, 6)
        put(isLandscape ? 1 : 0, 1)
        if let opacity {
            put(opacity.constant * 15, of: 15, 4)
            put(opacity.scale * 15, of: 15, 4)
        }
        for spectrum in [luminance, yellowness, redness] + (opacity.map { [$0] } ?? []) {
            for coefficient in spectrum.coefficients {
                let part = spectrum.scale > 0 ? 0.5 + 0.5 * coefficient / spectrum.scale : 0
                put(part * 15, of: 15, 4)
            }
        }
        return ThumbHash(words: words)
    }
}
