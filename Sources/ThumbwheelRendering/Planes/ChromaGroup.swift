/// One row of each chroma plane, and the one or two rows of luma that cover the same part of the image. The group
/// collects these rows, and then writes them to the resampler's ring buffers (`PlaneRing`).
///
/// The group clips colours that are brighter, darker or more colourful than a screen can show, because a decode at full
/// size clips them too. The clipped colours are stored as luma and chroma again. So a sky that is white at full size is
/// also white in a reduced image.
final class ChromaGroup {
    private typealias Eight = SIMD8<Int16>
    private typealias Row = (samples: UnsafePointer<PlaneSample>, target: UnsafeMutableRawPointer)

    // The largest number of rows in a group: two of luma, and one of each chroma plane.
    private static let rowLimit = 4

    private let isHalved: Bool
    private let matrix: LumaMatrix
    // The number of samples in a row of chroma.
    private let columnCount: Int
    // The rows of luma, followed by the row of Cb and the row of Cr.
    private let rows = UnsafeMutablePointer<Row>.allocate(capacity: ChromaGroup.rowLimit)
    private var count = 0

    init(_ subsampling: ChromaSubsampling, columnCount: Int, matrix: LumaMatrix) {
        self.matrix = matrix
        isHalved = subsampling.horizontal == 2
        self.columnCount = columnCount
    }

    deinit {
        rows.deallocate()
    }

    /// Adds a row to the rows that `enter` will process together. One or two rows of luma must be added first, then the
    /// row of Cb, then the row of Cr.
    ///
    /// - Parameters:
    ///   - row: the samples of the row. They must stay in memory until `enter` has been called. 15 samples after the
    ///     last column must be readable too.
    ///   - target: the memory to which `enter` writes the row with clipped colours. It must have room for 15 samples
    ///     after the last column too.
    func append(_ row: UnsafePointer<PlaneSample>, target: UnsafeMutableRawPointer) {
        precondition(count < Self.rowLimit, "rows that do not lie over each other")
        (rows + count).initialize(to: (row, target))
        count += 1
    }

    /// Clips the colours of the collected rows where necessary, and writes the rows to their targets. The group is
    /// empty afterwards.
    func enter() {
        precondition(count >= 2, "a group without chroma")
        let rows = UnsafeBufferPointer(start: rows, count: count)
        if isHalved { enter(rows, parts: 2) } else { enter(rows, parts: 1) }
        count = 0
    }

    /// Writes the collected rows to their targets, eight samples of chroma at a time.
    ///
    /// - Parameter parts: the number of luma vectors that cover the same columns of the image as one vector of chroma:
    ///   2 if chroma is halved horizontally, else 1.
    @inline(__always)
    private func enter(_ rows: UnsafeBufferPointer<Row>, parts: Int) {
        let luma = rows.count &- 2
        let factors = matrix.factors
        var x = 0
        while x < columnCount {
            let cb = Self.loaded(rows[luma], x)
            let cr = Self.loaded(rows[luma &+ 1], x)
            // The lowest and the highest luma with which a screen can show this chroma.
            let span = Self.span(cb, cr, factors)
            let mosts = parts == 2 ? mixed(span.most, span.most) : (lower: span.most, upper: span.most)
            let leasts = parts == 2 ? mixed(span.least, span.least) : (lower: span.least, upper: span.least)
            // `room` has one element for each column of luma. An element is negative if a screen cannot show the colour
            // of its column in at least one row of luma; apart from the sign, its value has no meaning. For each row,
            // two differences are computed: the highest luma in `span` minus the row's luma, and the row's luma minus
            // the lowest luma in `span`. One of the two is negative if the luma is outside `span`. All differences are
            // combined by OR, which gives a negative number if any of them is negative.
            var room = (Eight(), Eight())
            for line in 0..<luma {
                let y = Self.loaded(rows[line], x &* parts)
                room.0 |= (mosts.lower &- y) | (y &- leasts.lower)
                Self.store(y, rows[line], x &* parts)
                guard parts == 2 else { continue }
                let next = Self.loaded(rows[line], x &* 2 &+ 8)
                room.1 |= (mosts.upper &- next) | (next &- leasts.upper)
                Self.store(next, rows[line], x &* 2 &+ 8)
            }
            // Samples after the last column are arbitrary, so they must not decide whether colours are clipped.
            if x &+ 8 > columnCount {
                let count = (columnCount &- x) &* parts
                room = (room.0 & Self.lanes(below: count), room.1 & Self.lanes(below: count &- 8))
            }
            if Self.hasNegative(room.0 | room.1) {
                Self.enterClipped(rows, x, parts: parts, matrix)
            } else {
                Self.store(cb, rows[luma], x)
                Self.store(cr, rows[luma &+ 1], x)
            }
            x &+= 8
        }
    }

    /// Returns the lowest and the highest luma with which a screen can show a colour of the given chroma.
    @inline(__always)
    private static func span(_ cb: Eight, _ cr: Eight, _ factors: FixedFactors) -> (least: Eight, most: Eight) {
        let (red, green, blue) = PixelConverter.colours(Eight(), cb, cr, factors)
        return (
            minimumSample &- lesser(lesser(red, green), blue), maximumSample &- larger(larger(red, green), blue)
        )
    }

    /// Clips the colours of eight samples of chroma and their luma to those that a screen can show. Writes the clipped
    /// luma and chroma to the targets of the rows. If several pixels share a sample of chroma, the mean of their
    /// clipped chroma is written.
    @inline(never)
    private static func enterClipped(_ rows: UnsafeBufferPointer<Row>, _ x: Int, parts: Int, _ matrix: LumaMatrix) {
        let luma = rows.count &- 2
        let cb = loaded(rows[luma], x)
        let cr = loaded(rows[luma &+ 1], x)
        let (factors, inverse) = (matrix.factors, matrix.inverse)
        let (cbs, crs) = parts == 2 ? (mixed(cb, cb), mixed(cr, cr)) : ((lower: cb, upper: cb), (lower: cr, upper: cr))
        var sums = (Eight(), Eight())
        for line in 0..<luma {
            let pixels = clipped(loaded(rows[line], x &* parts), cbs.lower, crs.lower, factors, inverse)
            store(pixels.y, rows[line], x &* parts)
            if parts == 2 {
                let others = clipped(loaded(rows[line], x &* 2 &+ 8), cbs.upper, crs.upper, factors, inverse)
                store(others.y, rows[line], x &* 2 &+ 8)
                sums.0 &+= meansOfPairs(pixels.cb, others.cb)
                sums.1 &+= meansOfPairs(pixels.cr, others.cr)
            } else {
                sums.0 &+= pixels.cb
                sums.1 &+= pixels.cr
            }
        }
        if luma == 2 { sums = ((sums.0 &+ 1) &>> 1, (sums.1 &+ 1) &>> 1) }
        store(sums.0, rows[luma], x)
        store(sums.1, rows[luma &+ 1], x)
    }

    /// Clips a colour to the range of the screen and returns it as luma and chroma.
    @inline(__always)
    private static func clipped(
        _ y: Eight, _ cb: Eight, _ cr: Eight, _ factors: FixedFactors, _ inverse: FixedFactors
    ) -> (y: Eight, cb: Eight, cr: Eight) {
        let colours = PixelConverter.colours(y, cb, cr, factors)
        let red = colours.0.limited(minimumSample, maximumSample)
        let green = colours.1.limited(minimumSample, maximumSample)
        let blue = colours.2.limited(minimumSample, maximumSample)
        // Four operations drop a fraction: three multiplications and a shift. Each loses half of the lowest bit on
        // average. The added 2 makes up for these four halves.
        let own =
            upperHalf(red, inverse[0]) &+ green &>> 1 &+ upperHalf(green, inverse[1]) &+ upperHalf(blue, inverse[2])
            &+ 2
        let (blueness, redness) = (blue &- own, red &- own)
        return (
            own, blueness &- upperHalf(blueness, inverse[3]), redness &- upperHalf(redness, inverse[4])
        )
    }

    // MARK: Vectors of samples

    @inline(__always)
    private static var minimumSample: Eight { Eight(repeating: -128 &<< PlaneSample.binaryPlaces) }

    @inline(__always)
    private static var maximumSample: Eight { Eight(repeating: 127 &<< PlaneSample.binaryPlaces) }

    @inline(__always)
    private static func loaded(_ row: Row, _ x: Int) -> Eight {
        PixelConverter.loaded(row.samples, x).limited(minimumSample, maximumSample)
    }

    /// Stores samples in the fixed-point format of the ring buffers, which has 8 fractional bits.
    @inline(__always)
    private static func store(_ samples: Eight, _ row: Row, _ x: Int) {
        row.target.storeBytes(
            of: samples &<< Int16(8 &- PlaneSample.binaryPlaces), toByteOffset: x &* 2, as: Eight.self)
    }

    @inline(__always)
    private static func larger(_ a: Eight, _ b: Eight) -> Eight { a.replacing(with: b, where: a .< b) }

    @inline(__always)
    private static func lesser(_ a: Eight, _ b: Eight) -> Eight { a.replacing(with: b, where: a .> b) }

    @inline(__always)
    private static func hasNegative(_ value: Eight) -> Bool {
        let halves = unsafeBitCast(value, to: SIMD2<UInt64>.self)
        return (halves[0] | halves[1]) & 0x8000_8000_8000_8000 != 0
    }

    /// Returns a bit mask with all bits set in the first `count` elements.
    private static func lanes(below count: Int) -> Eight {
        var lanes = Eight()
        for lane in 0..<max(0, min(8, count)) { lanes[lane] = -1 }
        return lanes
    }

    /// Returns the rounded mean of each pair of neighbouring elements: the four means of `a`, then the four of `b`.
    @inline(__always)
    private static func meansOfPairs(_ a: Eight, _ b: Eight) -> Eight {
        @inline(__always) func means(_ value: Eight) -> SIMD4<Int32> {
            let pairs = unsafeBitCast(value, to: SIMD4<Int32>.self)
            return ((pairs &<< 16) &>> 16 &+ pairs &>> 16 &+ 1) &>> 1
        }
        let (lower, upper) = (means(a), means(b))
        return ThumbwheelRendering.lanes(SIMD8(lowHalf: lower, highHalf: upper), as: Int16.self)
    }
}
