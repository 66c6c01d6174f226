/// One row of each chroma plane, and the one or two rows of luma that cover the same part of the image. The group
/// collects these rows, and then writes them to the resampler's ring buffers (`PlaneRing`).
///
/// The group clips colours that are brighter, darker or more colourful than a screen can show, because a decode at full
/// size clips them too. The clipped colours are stored as luma and chroma again. So a sky that is white at full size is
/// also white in a reduced image.
final class ChromaGroup {
    private typealias Eight = SIMD8<Int16>
    /// The vectors of luma that cover the same columns of the image as one vector of chroma: one, two or four of them.
    private typealias Parts = (Eight, Eight, Eight, Eight)
    private typealias Row = (samples: UnsafePointer<PlaneSample>, target: UnsafeMutableRawPointer)

    // The largest number of rows in a group: two of luma, and one of each chroma plane.
    private static let rowLimit = 4

    // The number of columns of luma for each column of chroma.
    private let partCount: Int
    private let matrix: LumaMatrix
    // The number of samples in a row of chroma.
    private let columnCount: Int
    // The rows of luma, followed by the row of Cb and the row of Cr.
    private let rows = UnsafeMutablePointer<Row>.allocate(capacity: ChromaGroup.rowLimit)
    private var count = 0

    init(_ subsampling: ChromaSubsampling, columnCount: Int, matrix: LumaMatrix) {
        self.matrix = matrix
        partCount = subsampling.horizontal
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
        switch partCount {
        case 1: enter(rows, parts: 1)
        case 2: enter(rows, parts: 2)
        default: enter(rows, parts: 4)
        }
        count = 0
    }

    /// Writes the collected rows to their targets, eight samples of chroma at a time.
    ///
    /// - Parameter parts: the number of luma vectors that cover the same columns of the image as one vector of chroma:
    ///   1, 2 or 4.
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
            let (mosts, leasts) = (Self.spread(span.most, parts), Self.spread(span.least, parts))
            // The number of columns of luma from here on. If there are four vectors of luma, those behind the last
            // column are left out, because the rows have no room for them.
            let count = (columnCount &- x) &* parts
            // `room` has one element for each column of luma. An element is negative if a screen cannot show the colour
            // of its column in at least one row of luma; apart from the sign, its value has no meaning. For each row,
            // two differences are computed: the highest luma in `span` minus the row's luma, and the row's luma minus
            // the lowest luma in `span`. One of the two is negative if the luma is outside `span`. All differences are
            // combined by OR, which gives a negative number if any of them is negative.
            var room = (Eight(), Eight(), Eight(), Eight())
            for line in 0..<luma {
                room.0 |= Self.entered(rows[line], x &* parts, mosts.0, leasts.0)
                guard parts > 1 else { continue }
                if parts == 2 || count > 8 { room.1 |= Self.entered(rows[line], x &* parts &+ 8, mosts.1, leasts.1) }
                guard parts > 2 else { continue }
                if count > 16 { room.2 |= Self.entered(rows[line], x &* parts &+ 16, mosts.2, leasts.2) }
                if count > 24 { room.3 |= Self.entered(rows[line], x &* parts &+ 24, mosts.3, leasts.3) }
            }
            // Samples after the last column are arbitrary, so they must not decide whether colours are clipped.
            if x &+ 8 > columnCount {
                room.0 &= Self.lanes(below: count)
                room.1 &= Self.lanes(below: count &- 8)
                room.2 &= Self.lanes(below: count &- 16)
                room.3 &= Self.lanes(below: count &- 24)
            }
            if Self.hasNegative(room.0 | room.1 | room.2 | room.3) {
                Self.enterClipped(rows, x, parts: parts, count: count, matrix)
            } else {
                Self.store(cb, rows[luma], x)
                Self.store(cr, rows[luma &+ 1], x)
            }
            x &+= 8
        }
    }

    /// Writes eight samples of luma to their target.
    ///
    /// - Returns: a vector whose elements are negative where a screen cannot show the luma.
    @inline(__always)
    private static func entered(_ row: Row, _ x: Int, _ most: Eight, _ least: Eight) -> Eight {
        let y = loaded(row, x)
        store(y, row, x)
        return (most &- y) | (y &- least)
    }

    /// Repeats each element of a vector as often as there are parts. Parts that do not exist have any value.
    @inline(__always)
    private static func spread(_ value: Eight, _ parts: Int) -> Parts {
        if parts == 1 { return (value, value, value, value) }
        let pairs = mixed(value, value)
        if parts == 2 { return (pairs.lower, pairs.upper, pairs.lower, pairs.upper) }
        let (first, second) = (mixed(pairs.lower, pairs.lower), mixed(pairs.upper, pairs.upper))
        return (first.lower, first.upper, second.lower, second.upper)
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
    ///
    /// - Parameter count: the number of columns of luma from `x * parts` on.
    @inline(never)
    private static func enterClipped(
        _ rows: UnsafeBufferPointer<Row>, _ x: Int, parts: Int, count: Int, _ matrix: LumaMatrix
    ) {
        let luma = rows.count &- 2
        let cb = loaded(rows[luma], x)
        let cr = loaded(rows[luma &+ 1], x)
        let (factors, inverse) = (matrix.factors, matrix.inverse)
        let (cbs, crs) = (spread(cb, parts), spread(cr, parts))
        var sums = (Eight(), Eight())
        for line in 0..<luma {
            /// Clips one of the vectors of luma; one behind the last column keeps its chroma.
            func entered(_ part: Int, _ cb: Eight, _ cr: Eight) -> (cb: Eight, cr: Eight) {
                guard parts < 4 || count > 8 &* part else { return (cb, cr) }
                let place = x &* parts &+ 8 &* part
                let pixels = clipped(loaded(rows[line], place), cb, cr, factors, inverse)
                store(pixels.y, rows[line], place)
                return (pixels.cb, pixels.cr)
            }
            let first = entered(0, cbs.0, crs.0)
            guard parts > 1 else {
                sums = (sums.0 &+ first.cb, sums.1 &+ first.cr)
                continue
            }
            let second = entered(1, cbs.1, crs.1)
            var means = (meansOfPairs(first.cb, second.cb), meansOfPairs(first.cr, second.cr))
            if parts == 4 {
                let (third, fourth) = (entered(2, cbs.2, crs.2), entered(3, cbs.3, crs.3))
                means.0 = meansOfPairs(means.0, meansOfPairs(third.cb, fourth.cb))
                means.1 = meansOfPairs(means.1, meansOfPairs(third.cr, fourth.cr))
            }
            sums = (sums.0 &+ means.0, sums.1 &+ means.1)
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
