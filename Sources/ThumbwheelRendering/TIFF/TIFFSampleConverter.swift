import ThumbwheelFormats

/// Converts a row of samples to channels of 8 bits, or of 16 bits if all bits are kept.
struct TIFFSampleConverter {
    private let format: TIFFSampleFormat
    private let order: ByteOrder
    /// The number of bytes of a channel: 2 if samples have 16 bits and all bits are kept, otherwise 1.
    let bytesPerSample: Int
    /// The position of the upper byte in a sample. If samples of 16 bits are reduced to 8 bits, only that byte is kept.
    private let keptByte: Int
    /// The 8-bit value of a channel for each possible value of a sample. This table is used for samples of less than 8
    /// bits.
    private let levels: [UInt8]

    /// - Parameter keepsAllBits: whether samples of 16 bits keep all their bits, instead of being reduced to 8 bits.
    init(_ format: TIFFSampleFormat, order: ByteOrder, keepsAllBits: Bool) {
        self.format = format
        self.order = order
        bytesPerSample = keepsAllBits && format.bits == 16 ? 2 : 1
        keptByte = format.bits == 16 && order == .little ? 1 : 0
        let largest = 1 << min(format.bits, 8) - 1
        var isInverted = false
        if case .levels(isInverted: true) = format.colors { isInverted = true }
        levels = (0...largest).map { UInt8((isInverted ? largest - $0 : $0) * 255 / largest) }
    }

    /// Converts the first `width` pixels of a row.
    ///
    /// - Parameters:
    ///   - row: a row of samples, with at least `width` pixels.
    ///   - target: memory for `width` pixels and four more bytes, which may be overwritten.
    func convert(_ row: UnsafePointer<UInt8>, width: Int, into target: UnsafeMutablePointer<UInt8>) {
        if case .palette(let colors) = format.colors {
            colors.withUnsafeBufferPointer { colors in
                var place = UnsafeMutableRawPointer(target)
                for x in 0..<width {
                    // Each colour is stored with a fourth byte, which the next pixel overwrites.
                    place.storeBytes(of: colors[value(row, x)].littleEndian, as: UInt32.self)
                    place += 3
                }
            }
            return
        }
        guard format.bits >= 8 else {
            levels.withUnsafeBufferPointer { levels in
                for x in 0..<width { target[x] = levels[value(row, x)] }
            }
            return
        }
        guard bytesPerSample == 1 else { return convertWords(row, width: width, into: target) }
        pick(row + keptByte, width: width, into: target)
        let colorCount = format.shownSampleCount - (format.shownSampleCount % 2 == 0 ? 1 : 0)
        if case .levels(isInverted: true) = format.colors { invert(target, width: width, colorCount: colorCount) }
        if format.isPremultiplied {
            let count = width * format.shownSampleCount
            RowCorrection.unpremultiplied.write(
                target, channels: format.shownSampleCount,
                into: UnsafeMutableBufferPointer(start: target, count: count))
        }
    }

    /// Converts samples of 16 bits to channels of 16 bits.
    private func convertWords(_ row: UnsafePointer<UInt8>, width: Int, into target: UnsafeMutablePointer<UInt8>) {
        let (source, place) = (UnsafeRawPointer(row), UnsafeMutableRawPointer(target))
        let shown = format.shownSampleCount
        let colorCount = shown - (shown % 2 == 0 ? 1 : 0)
        var isInverted = false
        if case .levels(isInverted: true) = format.colors { isInverted = true }
        for x in 0..<width {
            @inline(__always) func sample(_ index: Int) -> UInt16 {
                let offset = 2 &* (x &* format.samplesPerPixel &+ index)
                let stored = source.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
                return order == .big ? UInt16(bigEndian: stored) : UInt16(littleEndian: stored)
            }
            for index in 0..<shown {
                var value = sample(index)
                if index < colorCount {
                    if isInverted { value = ~value }
                    if format.isPremultiplied {
                        let alpha = UInt32(sample(colorCount))
                        let undone = alpha == 0 ? 0 : (UInt32(value) * 65535 + alpha / 2) / alpha
                        value = UInt16(min(65535, undone))
                    }
                }
                place.storeBytes(of: value, toByteOffset: 2 &* (x &* shown &+ index), as: UInt16.self)
            }
        }
    }

    /// Returns the sample of pixel `x`, which has one to eight bits.
    @inline(__always)
    private func value(_ row: UnsafePointer<UInt8>, _ x: Int) -> Int {
        let bits = format.bits
        guard bits < 8 else { return Int(row[x]) }
        let bit = x &* bits
        return Int(row[bit &>> 3]) &>> (8 &- bits &- bit & 7) & (1 &<< bits &- 1)
    }

    /// Copies the upper byte of each sample that becomes a channel of the image: a colour or alpha. A pixel's other
    /// samples are left out.
    ///
    /// - Parameter row: points to the upper byte of the row's first sample.
    private func pick(_ row: UnsafePointer<UInt8>, width: Int, into target: UnsafeMutablePointer<UInt8>) {
        let step = format.bits / 8
        let shown = format.shownSampleCount
        switch (step, format.samplesPerPixel, shown) {
        case (1, shown, shown): target.update(from: row, count: width * shown)
        case (2, shown, shown):
            for index in 0..<width &* shown { target[index] = row[2 &* index] }
        default:
            var (source, place) = (row, target)
            let distance = step &* format.samplesPerPixel
            for _ in 0..<width {
                for sample in 0..<shown { place[sample] = source[sample &* step] }
                source += distance
                place += shown
            }
        }
    }

    private func invert(_ row: UnsafeMutablePointer<UInt8>, width: Int, colorCount: Int) {
        for start in stride(from: 0, to: width &* format.shownSampleCount, by: format.shownSampleCount) {
            for color in 0..<colorCount { row[start &+ color] = ~row[start &+ color] }
        }
    }
}
