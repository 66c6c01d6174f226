import ThumbwheelFormats

/// Undoes horizontal differencing: turns differences between neighbouring pixels back into samples (TIFF 6.0, section
/// 14).
///
/// Each sample depends on the sample to its left, so little can be computed in parallel within a row. Therefore one
/// vector computes a pixel of each of four rows.
struct TIFFPredictor {
    /// The number of bytes that may be read after the last row.
    static let slack = 8
    /// The number of rows that are computed together.
    static let groupHeight = 4

    let samplesPerPixel: Int
    /// Whether a sample has two bytes instead of one.
    let isWide: Bool
    // Whether the bytes of wide samples must be swapped, because the file's byte order differs from the processor's.
    private let isSwapped: Bool

    init(samplesPerPixel: Int, isWide: Bool, order: ByteOrder) {
        self.samplesPerPixel = samplesPerPixel
        self.isWide = isWide
        isSwapped = isWide && (order == .big) == (1.littleEndian == 1)
    }

    /// Rows of samples or differences in memory.
    struct Rows {
        let start: UnsafeMutableRawPointer
        /// The number of bytes from one row to the next.
        let pitch: Int

        fileprivate subscript(index: Int) -> UnsafeMutableRawPointer { start + index * pitch }
    }

    /// Turns rows of differences into samples.
    ///
    /// - Parameters:
    ///   - width: the number of pixels in a row.
    ///   - target: the rows for the samples. Their memory must not be that of `rows`, because a vector loop may store a
    ///     byte or two after a pixel, over differences that have not been read yet. A vector loop is also slower if it
    ///     reads memory that it has just written.
    func undo(_ rows: Rows, count: Int, width: Int, into target: Rows) {
        precondition(width > 0 && width * samplesPerPixel * (isWide ? 2 : 1) <= min(rows.pitch, target.pitch))
        var row = 0
        while row + Self.groupHeight <= count, sumFour(rows, target, from: row, width: width) {
            row += Self.groupHeight
        }
        for row in row..<count { sumOne(rows[row], into: target[row], count: width * samplesPerPixel) }
    }

    // MARK: Four rows at once

    /// Turns four rows of differences into samples at once. This works only for pixels of three or four samples.
    ///
    /// - Returns: false if a pixel has another number of samples; then nothing was written.
    private func sumFour(_ rows: Rows, _ target: Rows, from first: Int, width: Int) -> Bool {
        let rows = Rows(start: rows[first], pitch: rows.pitch)
        let target = Rows(start: target[first], pitch: target.pitch)
        switch (samplesPerPixel, isWide) {
        case (3, false): sumNarrow(rows, target, width: width, step: 3)
        case (4, false): sumNarrow(rows, target, width: width, step: 4)
        case (3, true): sumWide(rows, target, width: width, step: 6)
        case (4, true): sumWide(rows, target, width: width, step: 8)
        default: return false
        }
        return true
    }

    @inline(__always)
    private func sumNarrow(_ rows: Rows, _ target: Rows, width: Int, step: Int) {
        let (row0, row1, row2, row3) = (rows[0], rows[1], rows[2], rows[3])
        let (target0, target1, target2, target3) = (target[0], target[1], target[2], target[3])
        @inline(__always) func word(_ row: UnsafeMutableRawPointer, _ offset: Int) -> UInt32 {
            row.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        }
        var samples = SIMD16<UInt8>()
        var made = SIMD4<UInt32>()
        var offset = 0
        // The offset of the last pixel. The loop stores four bytes for each pixel. If a pixel has only three bytes, the
        // next pixel overwrites the fourth byte. After the last pixel, nothing would overwrite the fourth byte, so the
        // last pixel is stored separately.
        let end = (width &- 1) &* step
        while true {
            let differences = SIMD4(word(row0, offset), word(row1, offset), word(row2, offset), word(row3, offset))
            samples &+= unsafeBitCast(differences, to: SIMD16<UInt8>.self)
            made = unsafeBitCast(samples, to: SIMD4<UInt32>.self)
            guard offset < end else { break }
            target0.storeBytes(of: made[0], toByteOffset: offset, as: UInt32.self)
            target1.storeBytes(of: made[1], toByteOffset: offset, as: UInt32.self)
            target2.storeBytes(of: made[2], toByteOffset: offset, as: UInt32.self)
            target3.storeBytes(of: made[3], toByteOffset: offset, as: UInt32.self)
            offset &+= step
        }
        for row in 0..<Self.groupHeight { store(made[row], of: step, at: target[row] + end) }
    }

    @inline(__always)
    private func sumWide(_ rows: Rows, _ target: Rows, width: Int, step: Int) {
        let (row0, row1, row2, row3) = (rows[0], rows[1], rows[2], rows[3])
        let (target0, target1, target2, target3) = (target[0], target[1], target[2], target[3])
        let isSwapped = isSwapped
        @inline(__always) func ordered(_ word: UInt64) -> UInt64 {
            let low: UInt64 = 0x00FF_00FF_00FF_00FF
            return isSwapped ? (word & low) &<< 8 | (word &>> 8) & low : word
        }
        @inline(__always) func word(_ row: UnsafeMutableRawPointer, _ offset: Int) -> UInt64 {
            ordered(row.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        var samples = SIMD16<UInt16>()
        var made = SIMD4<UInt64>()
        var offset = 0
        let end = (width &- 1) &* step
        while true {
            let differences = SIMD4(word(row0, offset), word(row1, offset), word(row2, offset), word(row3, offset))
            samples &+= unsafeBitCast(differences, to: SIMD16<UInt16>.self)
            made = unsafeBitCast(samples, to: SIMD4<UInt64>.self)
            guard offset < end else { break }
            target0.storeBytes(of: ordered(made[0]), toByteOffset: offset, as: UInt64.self)
            target1.storeBytes(of: ordered(made[1]), toByteOffset: offset, as: UInt64.self)
            target2.storeBytes(of: ordered(made[2]), toByteOffset: offset, as: UInt64.self)
            target3.storeBytes(of: ordered(made[3]), toByteOffset: offset, as: UInt64.self)
            offset &+= step
        }
        for row in 0..<Self.groupHeight { store(ordered(made[row]), of: step, at: target[row] + end) }
    }

    /// Stores the first `byteCount` bytes of a word.
    private func store(_ word: some FixedWidthInteger, of byteCount: Int, at place: UnsafeMutableRawPointer) {
        withUnsafeBytes(of: word) { place.copyMemory(from: $0.baseAddress!, byteCount: byteCount) }
    }

    // MARK: One row at a time

    private func sumOne(_ row: UnsafeMutableRawPointer, into target: UnsafeMutableRawPointer, count: Int) {
        let (distance, isSwapped) = (samplesPerPixel, isSwapped)
        if isWide {
            @inline(__always) func ordered(_ sample: UInt16) -> UInt16 { isSwapped ? sample.byteSwapped : sample }
            for index in 0..<count {
                let left =
                    index < distance ? 0 : target.loadUnaligned(fromByteOffset: 2 * (index - distance), as: UInt16.self)
                let difference = row.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
                target.storeBytes(
                    of: ordered(ordered(difference) &+ ordered(left)), toByteOffset: 2 * index, as: UInt16.self)
            }
        } else {
            let (row, target) = (
                row.assumingMemoryBound(to: UInt8.self), target.assumingMemoryBound(to: UInt8.self)
            )
            for index in 0..<count { target[index] = row[index] &+ (index < distance ? 0 : target[index - distance]) }
        }
    }
}
