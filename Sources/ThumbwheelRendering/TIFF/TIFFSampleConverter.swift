import ThumbwheelFormats

/// Converts a row of samples to channels of 8 bits.
struct TIFFSampleConverter {
    private let format: TIFFSampleFormat
    /// The position of the upper byte in a sample. Only that byte is kept.
    private let keptByte: Int
    /// The value of the channel for each value of a sample of less than 8 bits.
    private let levels: [UInt8]

    init(_ format: TIFFSampleFormat, order: ByteOrder) {
        self.format = format
        keptByte = format.bits == 16 && order == .little ? 1 : 0
        let largest = 1 << min(format.bits, 8) - 1
        var isInverted = false
        if case .levels(isInverted: true) = format.colors { isInverted = true }
        levels = (0...largest).map { UInt8((isInverted ? largest - $0 : $0) * 255 / largest) }
    }

    /// - Parameters:
    ///   - row: a row of samples, with at least `width` pixels.
    ///   - target: room for `width` pixels and four bytes more.
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
        pick(row + keptByte, width: width, into: target)
        let colorCount = format.shownSamples - (format.shownSamples % 2 == 0 ? 1 : 0)
        if case .levels(isInverted: true) = format.colors { invert(target, width: width, colorCount: colorCount) }
        if format.isPremultiplied {
            let count = width * format.shownSamples
            RowCorrection.unpremultiplied.write(
                target, channels: format.shownSamples,
                into: UnsafeMutableBufferPointer(start: target, count: count))
        }
    }

    /// Returns the sample of pixel `x`, of one to eight bits.
    @inline(__always)
    private func value(_ row: UnsafePointer<UInt8>, _ x: Int) -> Int {
        let bits = format.bits
        guard bits < 8 else { return Int(row[x]) }
        let bit = x &* bits
        return Int(row[bit &>> 3]) &>> (8 &- bits &- bit & 7) & (1 &<< bits &- 1)
    }

    /// Copies one byte of each sample that becomes a channel.
    private func pick(_ row: UnsafePointer<UInt8>, width: Int, into target: UnsafeMutablePointer<UInt8>) {
        let step = format.bits / 8
        let shown = format.shownSamples
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
        for start in stride(from: 0, to: width &* format.shownSamples, by: format.shownSamples) {
            for color in 0..<colorCount { row[start &+ color] = ~row[start &+ color] }
        }
    }
}
