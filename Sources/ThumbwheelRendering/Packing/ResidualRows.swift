/// The residuals of a row: its samples minus the values predicted from their neighbours. They are stored as three
/// planes, green, red and blue, each padded to whole groups of eight.
final class ResidualRows {
    /// The number of groups of eight residuals in a row, over all three planes.
    let groupCount: Int

    private let width: Int
    private let plane: Int
    // The residuals: a plane of green, then one of red, then one of blue, each with `plane` elements. `plane` is a
    // multiple of eight, so reading and writing eight residuals at once stays inside this memory.
    private let residuals: UnsafeMutablePointer<UInt8>

    init(width: Int) {
        self.width = width
        groupCount = (width + PackedBitmap.groupLength - 1) / PackedBitmap.groupLength * 3
        plane = groupCount / 3 * PackedBitmap.groupLength
        residuals = .allocate(capacity: 3 * plane)
        residuals.initialize(repeating: 0, count: 3 * plane)
    }

    deinit {
        residuals.deallocate()
    }

    func write(to writer: inout GroupWriter) {
        for group in 0..<groupCount { writer.write(residuals + group * PackedBitmap.groupLength) }
    }

    func read(from reader: inout GroupReader) {
        for group in 0..<groupCount { reader.read(into: residuals + group * PackedBitmap.groupLength) }
    }

    /// Computes the residuals of row `y`.
    ///
    /// - Parameter pixels: the pixels of a whole RGB bitmap.
    func fill(fromRow y: Int, of pixels: UnsafeRawBufferPointer) {
        precondition(pixels.count >= (y + 1) * width * 3)
        let row = pixels.baseAddress! + y * width * 3
        var left = Samples()
        for x in 0..<width {
            let above = y > 0 ? Samples(row + (x - width) * 3) : left
            let samples = Samples(row + x * 3)
            let rest = samples &- (x > 0 ? mean(left, above) : above)
            (residuals + x).pointee = folded(rest.y)
            (residuals + plane + x).pointee = folded(rest.x &- rest.y)
            (residuals + 2 * plane + x).pointee = folded(rest.z &- rest.y)
            left = samples
        }
    }

    /// Restores the pixels of row `y` from the residuals.
    ///
    /// - Parameter pixels: the pixels of a whole RGB bitmap, in which all rows above `y` are restored already.
    func restore(row y: Int, of pixels: UnsafeMutableRawBufferPointer) {
        precondition(pixels.count >= (y + 1) * width * 3)
        let row = pixels.baseAddress! + y * width * 3
        var left = Samples()
        for x in 0..<width {
            let above = y > 0 ? Samples(row + (x - width) * 3) : left
            let green = unfolded(residuals[x])
            let rest = Samples(
                unfolded(residuals[plane + x]) &+ green, green, unfolded(residuals[2 * plane + x]) &+ green)
            left = rest &+ (x > 0 ? mean(left, above) : above)
            left.store(to: row + x * 3)
        }
    }

    /// The mean of two pixels, sample by sample, rounded down. The sum of two samples is never computed, because it
    /// would need nine bits.
    @inline(__always)
    private func mean(_ one: Samples, _ other: Samples) -> Samples { (one & other) &+ ((one ^ other) &>> 1) }

    /// Maps a signed residual to an unsigned number, so that residuals close to 0 of either sign become small numbers.
    @inline(__always)
    private func folded(_ rest: UInt8) -> UInt8 { rest &<< 1 ^ UInt8(bitPattern: Int8(bitPattern: rest) &>> 7) }

    @inline(__always)
    private func unfolded(_ number: UInt8) -> UInt8 { number &>> 1 ^ (0 &- (number & 1)) }
}

private typealias Samples = SIMD4<UInt8>

extension SIMD4<UInt8> {
    @inline(__always)
    fileprivate init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.init(red, green, blue, 0)
    }

    @inline(__always)
    fileprivate init(_ pixel: UnsafeRawPointer) {
        self.init(
            pixel.load(as: UInt8.self), pixel.load(fromByteOffset: 1, as: UInt8.self),
            pixel.load(fromByteOffset: 2, as: UInt8.self))
    }

    @inline(__always)
    fileprivate func store(to pixel: UnsafeMutableRawPointer) {
        pixel.storeBytes(of: x, as: UInt8.self)
        pixel.storeBytes(of: y, toByteOffset: 1, as: UInt8.self)
        pixel.storeBytes(of: z, toByteOffset: 2, as: UInt8.self)
    }
}
