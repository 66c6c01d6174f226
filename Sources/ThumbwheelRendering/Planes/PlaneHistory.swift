import ThumbwheelCore

/// The latest rows of a plane, and what they are at the image's scale.
final class PlaneHistory {
    /// Rows that are kept: more than come until a row of the coarsest plane does, up to 32 of a unit, and neighbours.
    private static let capacity = 68

    private let width: Int
    private let height: Int
    private let pitch: Int
    private let kept: AlignedPlane<PlaneSample>
    /// Rows of the plane up to the last one taken.
    private(set) var count: Int
    // Whether its samples lie over the pixels one by one, or one over every two pixels of a row.
    private let isAligned: Bool
    private let isHalved: Bool
    private let verticalStep: Double
    private let places: [SampleInterpolation]
    // A row at the image's scale, and one on the way there, from 8 on, with neighbours at both ends.
    private let scaledRow: AlignedPlane<PlaneSample>
    private let mixedRow: AlignedPlane<PlaneSample>

    /// - Parameters:
    ///   - horizontalStep, verticalStep: samples for a pixel.
    ///   - width: of the image.
    ///   - firstRow: of the image that will be asked for.
    init(_ plane: PlaneScales.Plane, horizontalStep: Double, verticalStep: Double, width: Int, firstRow: Int) {
        let ownWidth = plane.size.width
        self.width = ownWidth
        height = plane.size.height
        // Vector loops read over the end, and the sample behind the last is asked for with weight 0.
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

    /// Which rows of the plane make a row of the image.
    func place(ofRow row: Int) -> SampleInterpolation {
        SampleInterpolation(pixel: row, step: verticalStep, count: height)
    }

    /// Which columns of the plane make columns of the image.
    func columns(for columns: Range<Int>) -> Range<Int> {
        if isAligned || columns.isEmpty { return columns }
        if isHalved { return max(0, columns.lowerBound / 2 - 1)..<columns.upperBound / 2 + 2 }
        return places[columns.lowerBound].index..<places[columns.upperBound - 1].index + 2
    }

    /// Takes the plane's next row.
    func append(_ row: UnsafePointer<PlaneSample>) {
        let target = samples + count % Self.capacity * pitch
        target.update(from: row, count: width)
        target[width] = row[width - 1]
        count += 1
    }

    /// A row of the image, whose own rows have come; valid until the next call.
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

    /// Weighs two rows of samples, `below` 256ths of the lower one.
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

    /// Makes two pixels of every mixed sample, each three parts of it and one of its neighbour.
    private func double(_ columns: Range<Int>) {
        mixed[7] = mixed[8]
        mixed[8 + width] = mixed[7 + width]
        var x = columns.lowerBound / 16 * 16
        while x < columns.upperBound {
            let source = UnsafeRawPointer(mixed + (8 &+ x / 2))
            // Quarters are taken before the sum, which could not be had in 16 bits.
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

    /// Places pixels between mixed samples, however many there are for a pixel.
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
