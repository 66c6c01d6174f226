/// Converts the samples of a line to pixels of 8-bit channels, or of 16-bit channels if all bits are kept.
struct PNGConverter {
    private let samples: PNGSamples
    private let depth: Int
    private let channels: Int

    init(_ samples: PNGSamples, depth: Int, channels: Int) {
        self.samples = samples
        self.depth = depth
        self.channels = channels
    }

    /// Whether the samples need any conversion.
    var isNeeded: Bool { if case .bytes = samples { false } else { true } }

    /// Whether the lower bytes of 16-bit samples are needed. They are needed if all bits are kept. They are also needed
    /// if one colour is transparent, because all bytes of each pixel are compared with that colour.
    var needsLowerBytes: Bool {
        switch samples {
        case .keyed, .words: true
        case .bytes, .narrowGrey, .indexed: false
        }
    }

    /// The number of bytes of a pixel after the conversion.
    var bytesPerPixel: Int { channels * samples.bytesPerSample }

    /// Converts the samples of a line of `width` pixels.
    ///
    /// - Parameter target: memory for `width` pixels and four more bytes, which may be overwritten.
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
        case .words(let key): copyWords(line, width: width, key: key, into: target)
        }
    }

    /// Brings samples of 16 bits into the processor's byte order, and adds alpha if one colour is transparent.
    private func copyWords(
        _ line: UnsafePointer<UInt8>, width: Int, key: [UInt8]?, into target: UnsafeMutablePointer<UInt8>
    ) {
        let (source, place) = (UnsafeRawPointer(line), UnsafeMutableRawPointer(target))
        @inline(__always) func sample(_ index: Int) -> UInt16 {
            UInt16(bigEndian: source.loadUnaligned(fromByteOffset: 2 &* index, as: UInt16.self))
        }
        guard let key else {
            for index in 0..<width &* channels {
                place.storeBytes(of: sample(index), toByteOffset: 2 &* index, as: UInt16.self)
            }
            return
        }
        let colorCount = channels - 1
        let transparent = (0..<colorCount).map { UInt16(key[2 * $0]) << 8 | UInt16(key[2 * $0 + 1]) }
        for x in 0..<width {
            var isTransparent = true
            for color in 0..<colorCount {
                let value = sample(x &* colorCount &+ color)
                if value != transparent[color] { isTransparent = false }
                place.storeBytes(of: value, toByteOffset: 2 &* (x &* channels &+ color), as: UInt16.self)
            }
            place.storeBytes(
                of: isTransparent ? 0 : .max, toByteOffset: 2 &* (x &* channels &+ colorCount), as: UInt16.self)
        }
    }

    /// The value of the sample at index `x`, which has one to eight bits.
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
        // Four bytes are stored for each pixel. If there is no alpha, the next pixel overwrites the fourth byte.
        var place = UnsafeMutableRawPointer(target)
        for x in 0..<width {
            place.storeBytes(of: colors[value(line, x)].littleEndian, as: UInt32.self)
            place += channels
        }
    }

    /// Converts pixels of a picture with one transparent colour. The first byte of each sample is kept, and the alpha
    /// is 0 if all bytes of the pixel equal the transparent colour, otherwise 255.
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
