import ThumbwheelCore

/// The latest rows of a plane. Rows at the image's scale are interpolated from them.
final class PlaneHistory {
    /// The number of rows that are kept. The decoder may hand over up to 32 rows of a plane at once, for example a
    /// whole row of a JPEG's minimum coded units. The last of these rows may have to wait for the next row of the plane
    /// with the lowest resolution. Until that row comes, 32 more rows may be handed over. So 64 rows must fit, and 4
    /// rows are added for the neighbouring rows that interpolation reads.
    private static let capacity = 68

    private let width: Int
    private let height: Int
    private let pitch: Int
    private let kept: AlignedPlane<PlaneSample>
    /// The number of rows of the plane up to and including the last row that was appended.
    private(set) var count: Int
    // Whether the plane has one sample for each pixel of a row, so that its rows need no horizontal interpolation.
    private let isAligned: Bool
    // Whether the plane has one sample for every two pixels of a row. There is a fast horizontal interpolation for this
    // case.
    private let isHalved: Bool
    private let verticalStep: Double
    private let places: [SampleInterpolation]
    // The row that is being made, at the image's scale.
    private let scaledRow: AlignedPlane<PlaneSample>
    // The weighted mean of two neighbouring rows of the plane. A row at the image's scale is interpolated from this
    // mean.
    //
    // If the plane has one sample for every two pixels, the samples of the mean begin at index 8. A copy of the first
    // sample is put in front of them, and a copy of the last sample behind them, because interpolation reads the
    // neighbours on both sides of a sample.
    private let mixedRow: AlignedPlane<PlaneSample>

    /// - Parameters:
    ///   - horizontalStep, verticalStep: the number of the plane's samples per pixel of the image, along each axis.
    ///   - width: the width of the image in pixels.
    ///   - firstRow: the first row of the image that is needed.
    init(_ plane: PlaneScales.Plane, horizontalStep: Double, verticalStep: Double, width: Int, firstRow: Int) {
        let ownWidth = plane.size.width
        self.width = ownWidth
        height = plane.size.height
        // Each row is padded, for two reasons: vector loops read beyond the row's end, and interpolation reads one
        // sample after the last one, with the weight 0.
        pitch = ownWidth + 8
        isAligned = horizontalStep == 1
        isHalved = horizontalStep == 0.5
        self.verticalStep = verticalStep
        places =
            horizontalStep == 1 || horizontalStep == 0.5
            ? [] : (0..<width).map { SampleInterpolation(pixel: $0, step: horizontalStep, count: ownWidth) }
        kept = AlignedPlane(pitch: pitch, rowCount: Self.capacity)
        scaledRow = AlignedPlane(pitch: width + 64)
        mixedRow = AlignedPlane(pitch: max(width, ownWidth) + 64)
        count = SampleInterpolation(pixel: firstRow, step: verticalStep, count: plane.size.height).index
    }

    private var samples: UnsafeMutablePointer<PlaneSample> { kept.start }
    private var line: UnsafeMutablePointer<PlaneSample> { scaledRow.start }
    private var mixed: UnsafeMutablePointer<PlaneSample> { mixedRow.start }

    /// Returns the rows of the plane from which a row of the image is made, and their weights.
    func place(ofRow row: Int) -> SampleInterpolation {
        SampleInterpolation(pixel: row, step: verticalStep, count: height)
    }

    /// Returns the columns of the plane from which the given columns of the image are made.
    func columns(for columns: Range<Int>) -> Range<Int> {
        if isAligned || columns.isEmpty { return columns }
        if isHalved { return max(0, columns.lowerBound / 2 - 1)..<columns.upperBound / 2 + 2 }
        return places[columns.lowerBound].index..<places[columns.upperBound - 1].index + 2
    }

    /// Copies the plane's next row into the history.
    func append(_ row: UnsafePointer<PlaneSample>) {
        let target = samples + count % Self.capacity * pitch
        target.update(from: row, count: width)
        target[width] = row[width - 1]
        count += 1
    }

    /// Returns a row of the image, valid until the next call. The plane's rows from which it is made must have been
    /// appended.
    func row(_ row: Int, columns: Range<Int>) -> UnsafePointer<PlaneSample> {
        let place = place(ofRow: row)
        precondition(place.end <= count && place.index >= count - Self.capacity, "row \(row) is not at hand")
        let upper = UnsafePointer(samples + place.index % Self.capacity * pitch)
        let lower = UnsafePointer(samples + (place.end - 1) % Self.capacity * pitch)
        if isAligned {
            if place.weight == 0 { return upper }
            mix(upper, lower, below: place.weight, into: line)
        } else if isHalved {
            mix(upper, lower, below: place.weight, into: mixed + 8)
            double(columns)
        } else {
            mix(upper, lower, below: place.weight, into: mixed)
            mixed[width] = mixed[width - 1]
            interpolate(columns)
        }
        return UnsafePointer(line)
    }

    /// Computes the weighted mean of two rows of samples. The lower row has the weight `below`/256, and the upper row
    /// has the weight 1 − `below`/256.
    private func mix(
        _ upper: UnsafePointer<PlaneSample>, _ lower: UnsafePointer<PlaneSample>, below: Int32,
        into target: UnsafeMutablePointer<PlaneSample>
    ) {
        if below == 0 {
            target.update(from: upper, count: width)
            return
        }
        let above = 256 &- below
        for x in 0..<width {
            let sum = Int32(upper[x]) &* above &+ Int32(lower[x]) &* below
            target[x] = PlaneSample(truncatingIfNeeded: (sum &+ 128) &>> 8)
        }
    }

    /// Makes the pixels of `line`, the finished row, from the samples of `mixed`, the weighted mean of two rows. Each
    /// sample gives two pixels. The left pixel is 3/4 of the sample and 1/4 of its left neighbour, and the right pixel
    /// is 3/4 of the sample and 1/4 of its right neighbour.
    private func double(_ columns: Range<Int>) {
        mixed[7] = mixed[8]
        mixed[8 + width] = mixed[7 + width]
        var x = columns.lowerBound / 16 * 16
        while x < columns.upperBound {
            let source = UnsafeRawPointer(mixed + (8 &+ x / 2))
            // Adds a quarter of the difference between neighbour and sample to the sample. The result is (3 · sample +
            // neighbour) / 4, but that sum might not fit into 16 bits before the division.
            let own = source.loadUnaligned(as: SIMD8<Int16>.self)
            let before = source.loadUnaligned(fromByteOffset: -2, as: SIMD8<Int16>.self)
            let after = source.loadUnaligned(fromByteOffset: 2, as: SIMD8<Int16>.self)
            let even = own &+ (before &- own &+ 2) &>> 2
            let odd = own &+ (after &- own &+ 2) &>> 2
            let pairs =
                lanes(unsafeBitCast(even, to: SIMD8<UInt16>.self), as: UInt32.self)
                | lanes(unsafeBitCast(odd, to: SIMD8<UInt16>.self), as: UInt32.self) &<< 16
            UnsafeMutableRawPointer(line + x).storeBytes(of: pairs, as: SIMD8<UInt32>.self)
            x &+= 16
        }
    }

    /// Makes the pixels of `line` by interpolating between neighbouring samples of `mixed`. `mixed` is the mean of two
    /// rows, and `line` is the finished row. The plane may have any number of samples for each pixel.
    private func interpolate(_ columns: Range<Int>) {
        places.withUnsafeBufferPointer { places in
            for x in columns {
                let place = places[x]
                let difference = Int32(mixed[place.index &+ 1]) &- Int32(mixed[place.index])
                let step = (difference &* place.weight &+ 128) &>> 8
                line[x] = PlaneSample(truncatingIfNeeded: Int32(mixed[place.index]) &+ step)
            }
        }
    }
}
