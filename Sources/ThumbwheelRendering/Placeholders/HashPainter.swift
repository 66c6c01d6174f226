import ThumbwheelCore

extension Bitmap {
    /// The longer side of a painted placeholder in pixels. 32 pixels are enough to show all detail of a hash. The
    /// placeholder is enlarged when it is displayed.
    private static let hashSide = 32

    /// Paints the placeholder that a hash describes; its longer side has 32 pixels.
    ///
    /// - Parameter aspectRatio: the width divided by the height; if nil, the ratio that the hash itself states, which
    ///   is only approximate.
    public convenience init(_ hash: ThumbHash, aspectRatio: Double? = nil) {
        let ratio = aspectRatio.flatMap { $0 > 0 && $0.isFinite ? $0 : nil } ?? hash.aspectRatio
        let side = Double(Self.hashSide)
        let size = PixelSize(
            width: max(1, Int((ratio > 1 ? side : side * ratio).rounded())),
            height: max(1, Int((ratio > 1 ? side / ratio : side).rounded())))
        self.init(size: size, format: hash.hasAlpha ? .rgba : .rgb) { pixels in
            withUnsafeTemporaryAllocation(of: SIMD8<Float>.self, capacity: HashPainter.rowCount) { rows in
                HashPainter(hash, in: rows).paint(size, into: pixels)
            }
        }
    }
}

/// Paints a `ThumbHash` by the inverse of a cosine transform of few frequencies, first down the columns, then along
/// each row.
///
/// The levels (0 to 255) differ by at most 1 from those that other implementations of ThumbHash paint.
private struct HashPainter {
    /// The amplitudes of a channel's frequencies: one vector for each vertical frequency, with one element for each
    /// horizontal frequency.
    private struct Channel {
        let rows: UnsafeMutableBufferPointer<SIMD8<Float>>
        let width: Int

        /// The amplitude of each horizontal frequency in row `y` of the picture.
        @inline(__always)
        func amplitudes(at y: Int, _ down: CosineTable) -> SIMD8<Float> {
            var sum = rows[0]
            for row in 1..<rows.count { sum += rows[row] * down[row, y] }
            return sum
        }

        /// Eight samples of a row of the picture, from column `x` on, made from the row's `amplitudes`.
        @inline(__always)
        func wave(_ amplitudes: SIMD8<Float>, _ across: CosineTable, _ x: Int) -> SIMD8<Float> {
            var sum = SIMD8(repeating: amplitudes[0])
            for column in 1..<width { sum += across.eight(column, x) * amplitudes[column] }
            return sum
        }
    }

    /// The number of vectors in the `rows` of all channels: 7 for luminance, 3 for each of the two channels of chroma,
    /// and 5 for alpha. A channel has one vector for each vertical frequency.
    static let rowCount = 7 + 3 + 3 + 5

    private let luminance: Channel
    private let yellowness: Channel
    private let redness: Channel
    private let opacity: Channel?

    /// - Parameter memory: room for `rowCount` vectors. The caller owns it and must keep it for as long as the painter
    ///   is used.
    init(_ hash: ThumbHash, in memory: UnsafeMutableBufferPointer<SIMD8<Float>>) {
        memory.initialize(repeating: SIMD8())
        var rest = memory[...]
        var bit = hash.firstCoefficientBit
        func read(_ frequencies: (width: Int, height: Int), constant: Float, scale: Float) -> Channel {
            let rows = UnsafeMutableBufferPointer(rebasing: rest.prefix(frequencies.height))
            rest = rest.dropFirst(frequencies.height)
            rows[0][0] = constant
            for row in 0..<frequencies.height {
                for column in (row == 0 ? 1 : 0)..<ThumbHash.rowLength(row, of: frequencies) {
                    // By the definition of ThumbHash, the amplitude of each painted cosine is twice the stored number.
                    rows[row][column] = 2 * scale * (Float(hash.bits(bit, 4)) / 7.5 - 1)
                    bit += 4
                }
            }
            return Channel(rows: rows, width: frequencies.width)
        }
        func part(_ first: Int, _ count: Int) -> Float { Float(hash.bits(first, count)) }
        // The hash stores chroma in coarse steps, which lose saturation, so the chroma is strengthened by a quarter.
        let boost: Float = 1.25
        luminance = read(hash.luminanceFrequencies, constant: part(0, 6) / 63, scale: part(18, 5) / 31)
        yellowness = read((3, 3), constant: part(6, 6) / 31.5 - 1, scale: boost * part(27, 6) / 63)
        redness = read((3, 3), constant: part(12, 6) / 31.5 - 1, scale: boost * part(33, 6) / 63)
        opacity = hash.hasAlpha ? read((5, 5), constant: part(40, 4) / 15, scale: part(44, 4) / 15) : nil
    }

    func paint(_ size: PixelSize, into pixels: UnsafeMutableRawBufferPointer) {
        let bytesPerPixel = opacity == nil ? 3 : 4
        precondition(pixels.count == size.pixelCount * bytesPerPixel)
        let room = CosineTable.frequencyCount * CosineTable.pitch(size.width)
        let all = room + CosineTable.frequencyCount * CosineTable.pitch(size.height)
        withUnsafeTemporaryAllocation(of: Float.self, capacity: all) { memory in
            let across = CosineTable(count: size.width, in: .init(rebasing: memory[..<room]))
            let down = CosineTable(count: size.height, in: .init(rebasing: memory[room...]))
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: across.pitch) { line in
                var target = pixels.baseAddress!
                for y in 0..<size.height {
                    paint(row: y, across, down, into: line.baseAddress!)
                    for x in 0..<size.width {
                        let word = line[x]
                        for byte in 0..<bytesPerPixel {
                            target.storeBytes(
                                of: UInt8(truncatingIfNeeded: word &>> UInt32(8 &* byte)), toByteOffset: byte,
                                as: UInt8.self)
                        }
                        target += bytesPerPixel
                    }
                }
            }
        }
    }

    private func paint(row y: Int, _ across: CosineTable, _ down: CosineTable, into line: UnsafeMutablePointer<UInt32>)
    {
        let luminances = luminance.amplitudes(at: y, down)
        let yellownesses = yellowness.amplitudes(at: y, down)
        let rednesses = redness.amplitudes(at: y, down)
        let opacities = opacity?.amplitudes(at: y, down)
        for x in stride(from: 0, to: across.pitch, by: CosineTable.lanes) {
            let l = luminance.wave(luminances, across, x)
            let p = yellowness.wave(yellownesses, across, x)
            let q = redness.wave(rednesses, across, x)
            let blue = l - p * (2 / 3)
            let red = (l * 3 - blue + q) * 0.5
            var words = Self.levels(red) | Self.levels(red - q) &<< 8 | Self.levels(blue) &<< 16
            if let opacity, let opacities { words |= Self.levels(opacity.wave(opacities, across, x)) &<< 24 }
            UnsafeMutableRawPointer(line + x).storeBytes(of: words, as: SIMD8<UInt32>.self)
        }
    }

    /// Converts samples from 0 to 1 to levels from 0 to 255, truncated as in other implementations of ThumbHash.
    @inline(__always)
    private static func levels(_ samples: SIMD8<Float>) -> SIMD8<UInt32> {
        // Rounds all samples of the vector down to whole numbers at once, by the addition of 1.5 · 2²³. A Float of this
        // size has no bits for a fraction. So the sum is a whole number, and its lowest bits contain the rounded
        // sample. The addition rounds to the nearest number. The sample is therefore lowered by 0.5 first, so that it
        // is rounded down.
        let shifted = samples * 255 - 0.5 + 0x1.8p23
        let whole = unsafeBitCast(shifted, to: SIMD8<Int32>.self) &- 0x4B40_0000
        let positive = whole & ~(whole &>> 31)
        let below = 255 &- positive
        return SIMD8<UInt32>(truncatingIfNeeded: 255 &- (below & ~(below &>> 31)))
    }
}
