/// The horizontal pass of resampling: reduces eight rows of all planes at once to rows of interleaved pixels.
final class PlaneMixer {
    private typealias Eight = SIMD8<Int16>

    private let outputWidth: Int
    // For each plane, the taps of the horizontal pass (the weights of neighbouring samples).
    private let taps: [TapTable]
    // For each plane, the column of the plane at which its lines begin. A line is a row that the vertical pass has
    // made, and need not begin at the plane's left edge.
    private let starts: [Int]
    // The matrix that turns luma and chroma into colours; nil if the planes are colours.
    private let matrix: LumaMatrix?
    private let pitch: Int
    // The resampled samples of each plane, column by column. Each vector has the samples of eight rows.
    private let sumsOfPlanes: AlignedPlane<Eight>
    // The bytes of eight rows of output, column by column.
    private let transposed: AlignedPlane<UInt8>
    // The bytes of eight rows of output, row by row.
    private let upright: AlignedPlane<UInt8>

    /// Makes the buffers for an image of one plane or of three planes.
    ///
    /// - Parameters:
    ///   - taps: for each plane, the taps of the horizontal pass (the weights of neighbouring samples).
    ///   - starts: for each plane, the column of the plane at which its lines begin. A line is a row that the vertical
    ///     pass has made, and need not begin at the plane's left edge.
    init(outputWidth: Int, taps: [TapTable], starts: [Int], colors: PlaneColors) {
        precondition(
            taps.allSatisfy { $0.firstInputs.count == outputWidth } && (taps.count == 1 || taps.count == 3)
                && starts.count == taps.count)
        self.outputWidth = outputWidth
        self.taps = taps
        self.starts = starts
        matrix = colors.matrix
        pitch = (outputWidth * 3 + 7) / 8 * 8
        sumsOfPlanes = AlignedPlane(pitch: outputWidth, rowCount: taps.count)
        transposed = AlignedPlane(pitch: pitch, rowCount: 8)
        upright = AlignedPlane(pitch: pitch, rowCount: 8)
    }

    private var sums: UnsafeMutablePointer<Eight> { sumsOfPlanes.start }
    private var bytes: UnsafeMutableRawPointer { transposed.bytes }
    private var rows: UnsafeMutableRawPointer { upright.bytes }

    /// Returns one of the eight rows that `mix` made last. It has `outputWidth` RGB pixels.
    func row(_ index: Int) -> UnsafeRawPointer {
        precondition(index < 8)
        return UnsafeRawPointer(rows + index * pitch)
    }

    /// Makes eight rows of pixels from the eight lines of each plane. The caller must have transposed the lines by
    /// `PlaneLines.transpose()`.
    func mix(_ lines: [PlaneLines]) {
        precondition(lines.count == taps.count)
        lines[0].weigh(taps[0], from: starts[0], into: sums, count: outputWidth)
        if taps.count == 3, taps[1] === taps[2], starts[1] == starts[2] {
            lines[1].weigh(with: lines[2], taps[1], from: starts[1], into: sums + outputWidth, count: outputWidth)
        } else {
            for index in 1..<taps.count {
                lines[index].weigh(
                    taps[index], from: starts[index], into: sums + index * outputWidth, count: outputWidth)
            }
        }
        convert()
        transpose()
    }

    /// Converts the resampled samples in `sumsOfPlanes` to the bytes of pixels in `transposed`, for eight rows at once.
    private func convert() {
        let (sums, bytes) = (sums, bytes)
        // `raised` is 128.5 with five fractional bits, and is added to luma or to each colour. The 128 moves samples
        // that are centred on 0 to the range from 0 to 255. The additional half makes the conversion to bytes round to
        // the nearest number.
        //
        // The resampled samples have six fractional bits. One of these bits is dropped before the addition, because a
        // sample must fit into 16 bits even if the kernel overshoots in all planes at once. The overshoot is greatest
        // at the image's edge, where the kernel is cut off. There, the largest sample with five fractional bits is
        // 32 100, and the limit is 32 767.
        let raised = Eight(repeating: 16 &+ 128 &<< 5)
        let factors = (matrix ?? .bt601).factors
        let isMixed = taps.count == 3 && matrix != nil
        let (second, third) = (sums + outputWidth, sums + 2 * outputWidth)
        for x in 0..<outputWidth {
            let first = sums[x] &>> 1 &+ raised
            var colours = (first, first, first)
            if isMixed {
                colours = PixelConverter.colours(first, second[x] &>> 1, third[x] &>> 1, factors)
            } else if taps.count == 3 {
                (colours.1, colours.2) = (second[x] &>> 1 &+ raised, third[x] &>> 1 &+ raised)
            }
            let target = bytes + x &* 24
            target.storeBytes(of: clampedBytes(colours.0, places: 5), as: SIMD8<UInt8>.self)
            target.storeBytes(of: clampedBytes(colours.1, places: 5), toByteOffset: 8, as: SIMD8<UInt8>.self)
            target.storeBytes(of: clampedBytes(colours.2, places: 5), toByteOffset: 16, as: SIMD8<UInt8>.self)
        }
    }

    private func transpose() {
        let (bytes, rows) = (bytes, rows)
        for block in 0..<pitch / 8 { transpose8x8(bytes + block &* 64, into: rows + block &* 8, pitch: pitch) }
    }
}
