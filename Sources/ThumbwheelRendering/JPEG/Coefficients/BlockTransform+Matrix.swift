extension BlockTransform {
    /// Transforms eight blocks to 5×5, 6×6 or 7×7 samples each, for a decode at 5/8 to 7/8 of full size.
    ///
    /// Each sample is computed straight from the formula of the transform, as a sum over coefficients. Coefficients of
    /// even and of odd frequency are summed separately. Adding both sums gives one sample, and subtracting them gives
    /// the sample at the mirrored position.
    ///
    /// - Parameter scale: 5, 6 or 7. It is passed as a literal, so that the compiler unrolls the loops.
    @inline(__always)
    func transformByMatrix(
        _ scale: Int, _ source: UnsafeRawPointer, _ stride: Int, _ target: UnsafeMutableRawPointer, _ pitch: Int
    ) {
        guard let matrix else { return }
        matrix.values.withUnsafeBufferPointer { values in
            let cosines = values.baseAddress!
            withUnsafeTemporaryAllocation(of: Eight.self, capacity: 24) { room in
                let input = room.baseAddress!
                let output = input + 8
                output.update(repeating: .zero, count: 8)
                for column in 0..<scale {
                    for row in 0..<scale {
                        input[row] = coefficient(row &* scale &+ column, source, stride) &<< 4
                    }
                    apply(cosines, scale, input, output)
                    for row in 0..<scale { workspace[row &* scale &+ column] = output[row] &<< 2 }
                }
                for row in 0..<scale {
                    apply(cosines, scale, workspace + row &* scale, output)
                    // `store` writes eight samples of each block, although only the first `scale` samples have a
                    // meaning. The samples of the next block overwrite the rest.
                    store(
                        output[0], output[1], output[2], output[3], output[4], output[5], output[6], output[7],
                        target + row &* pitch)
                }
            }
        }
    }

    /// Transforms one column or one row in each of eight blocks, by multiplication with the matrix of cosines.
    ///
    /// - Parameters:
    ///   - input: `scale` values with 4 fractional bits.
    ///   - output: room for `scale` results. They have 2 fractional bits.
    @inline(__always)
    private func apply(
        _ cosines: UnsafePointer<Eight>, _ scale: Int, _ input: UnsafeMutablePointer<Eight>,
        _ output: UnsafeMutablePointer<Eight>
    ) {
        let half = (scale &+ 1) / 2
        for x in 0..<half {
            // `upperHalf` cuts off the lower bits of a product, which makes the product too small by half a unit on
            // average. A sum of two or three products is then too small by about 1, so each sum begins with 1.
            var even = input[0] &>> 2 &+ Eight(repeating: 1)
            var odd = Eight(repeating: 1)
            var u = 1
            var weight = cosines + x
            while u < scale {
                odd = odd &+ upperHalf(input[u], weight.pointee)
                weight += half
                u &+= 1
                guard u < scale else { break }
                even = even &+ upperHalf(input[u], weight.pointee)
                weight += half
                u &+= 1
            }
            output[x] = even &+ odd
            if x != scale &- 1 &- x { output[scale &- 1 &- x] = even &- odd }
        }
    }
}
