/// Makes bytes of a line's samples, pixel by pixel.
struct PNGConverter {
    private let samples: PNGSamples
    private let depth: Int
    private let channels: Int

    init(_ samples: PNGSamples, depth: Int, channels: Int) {
        self.samples = samples
        self.depth = depth
        self.channels = channels
    }

    /// Whether anything is to be done.
    var isNeeded: Bool { if case .bytes = samples { false } else { true } }

    /// Whether the lower bytes of 16-bit samples count: a transparent pixel is told by all of them.
    var needsLowerBytes: Bool { if case .keyed = samples { true } else { false } }

    /// - Parameter target: has room for `width` pixels and four bytes.
    func convert(_ line: UnsafePointer<UInt8>, width: Int, into target: UnsafeMutablePointer<UInt8>) {
        switch samples {
        case .bytes: break
        case .narrowGrey(let levels):
            levels.withUnsafeBufferPointer { levels in
                for x in 0..<width { target[x] = levels[value(line, x)] }
            }
        case .indexed(let colors):
            colors.withUnsafeBufferPointer { look(up: $0, line, width: width, into: target) }
        case .keyed(let pixel, let levels):
            if depth == 16 {
                key(line, width: width, pixel, bytesPerSample: 2, into: target)
            } else if pixel.count == 1 {
                for x in 0..<width {
                    let value = value(line, x)
                    target[2 &* x] = levels[value]
                    target[2 &* x &+ 1] = value == Int(pixel[0]) ? 0 : 255
                }
            } else {
                key(line, width: width, pixel, bytesPerSample: 1, into: target)
            }
        }
    }

    /// A sample of one to eight bits, by its number.
    @inline(__always)
    private func value(_ line: UnsafePointer<UInt8>, _ x: Int) -> Int {
        guard depth < 8 else { return Int(line[x]) }
        let bit = x &* depth
        return Int(line[bit &>> 3]) &>> (8 &- depth &- bit & 7) & (1 &<< depth &- 1)
    }

    private func look(
        up colors: UnsafeBufferPointer<UInt32>, _ line: UnsafePointer<UInt8>, width: Int,
        into target: UnsafeMutablePointer<UInt8>
    ) {
        // Of a pixel without alpha the fourth byte is overwritten by the next one.
        var place = UnsafeMutableRawPointer(target)
        for x in 0..<width {
            place.storeBytes(of: colors[value(line, x)].littleEndian, as: UInt32.self)
            place += channels
        }
    }

    /// Takes the first byte of each sample, and the whole pixel's bytes for the alpha.
    private func key(
        _ line: UnsafePointer<UInt8>, width: Int, _ pixel: [UInt8], bytesPerSample: Int,
        into target: UnsafeMutablePointer<UInt8>
    ) {
        pixel.withUnsafeBufferPointer { pixel in
            var source = line
            var place = target
            for _ in 0..<width {
                var isTransparent = true
                for index in 0..<pixel.count where source[index] != pixel[index] { isTransparent = false }
                for sample in 0..<channels &- 1 { place[sample] = source[sample &* bytesPerSample] }
                place[channels &- 1] = isTransparent ? 0 : 255
                source += pixel.count
                place += channels
            }
        }
    }
}
