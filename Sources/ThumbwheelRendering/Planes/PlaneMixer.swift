/// The horizontal pass of resampling: reduces eight rows of all planes at once to rows of interleaved pixels.
final class PlaneMixer {
    private typealias Eight = SIMD8<Int16>

    private let outputWidth: Int
    // For each plane, the taps of the horizontal pass (the weights of neighbouring samples).
    private let taps: [TapTable]
    // For each plane, the column of the plane at which its lines (the rows that the vertical pass has made) begin.
    private let starts: [Int]
    // The matrix that turns luma and chroma into colours; nil if the planes are colours.
    private let matrix: LumaMatrix?
    private let pitch: Int
    // The resampled samples of each plane, column by column. Each vector has the samples of eight rows.
    private let sumsOfPlanes: AlignedPlane<Eight>
    // The bytes of eight rows of output, column by column.
    private let turned: AlignedPlane<UInt8>
    // The bytes of eight rows of output, row by row.
    private let upright: AlignedPlane<UInt8>

    /// - Parameters:
    ///   - taps: the taps of each plane, for one plane or three.
    ///   - starts: for each plane, the column at which its lines begin. Lines are rows that the vertical pass has made.
    init(outputWidth: Int, taps: [TapTable], starts: [Int], colors: PlaneColors) {
        precondition(
            taps.allSatisfy { $0.first.count == outputWidth } && (taps.count == 1 || taps.count == 3)
                && starts.count == taps.count)
        self.outputWidth = outputWidth
        self.taps = taps
        self.starts = starts
        matrix = colors.matrix
        pitch = (outputWidth * 3 + 7) / 8 * 8
        sumsOfPlanes = AlignedPlane(pitch: outputWidth, rowCount: taps.count)
        turned = AlignedPlane(pitch: pitch, rowCount: 8)
        upright = AlignedPlane(pitch: pitch, rowCount: 8)
    }

    private var sums: UnsafeMutablePointer<Eight> { sumsOfPlanes.start }
    private var bytes: UnsafeMutableRawPointer { turned.bytes }
    private var rows: UnsafeMutableRawPointer { upright.bytes }

    /// Returns one of the eight rows that `mix` made last. It has `outputWidth` RGB pixels.
    func row(_ index: Int) -> UnsafeRawPointer {
        precondition(index < 8)
        return UnsafeRawPointer(rows + index * pitch)
    }

    /// Makes eight rows of pixels out of each plane's lines, which must be transposed already.
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
        turn()
    }

    /// Converts the resampled samples in `sumsOfPlanes` to the bytes of pixels in `turned`, for eight rows at once.
    private func convert() {
        let (sums, bytes) = (sums, bytes)
        // `raised` is added to luma, or to each colour. It is the sum of 128, because samples are centred on 0, and of
        // a half for rounding, both with five fractional bits. The resampled samples have six fractional bits, so they
        // are halved before the addition. With six fractional bits, a kernel's overshoot in all planes at once would
        // not fit into 16 bits. With five, values reach up to 32 100, which fits. The largest values occur at the
        // image's edge, where the kernel is cut off.
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

    private func turn() {
        let (bytes, rows) = (bytes, rows)
        for block in 0..<pitch / 8 { transpose8x8(bytes + block &* 64, into: rows + block &* 8, pitch: pitch) }
    }
}
