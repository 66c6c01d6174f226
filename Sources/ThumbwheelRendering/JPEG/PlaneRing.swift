/// The rows of a plane that the vertical pass looks at: samples centred on 0, 256 to a step, as in `FixedPointWorkspace`.
final class PlaneRing {
    private typealias Eight = SIMD8<Int16>

    /// Bytes of a row of 16-bit samples, padded to the 64 that one step of the loop takes.
    let pitch: Int
    private let columnCount: Int
    private let rowCount: Int
    private let samples: UnsafeMutableRawPointer

    init(columnCount: Int, rowCount: Int) {
        self.columnCount = columnCount
        self.rowCount = rowCount
        pitch = (columnCount * 2 + 63) / 64 * 64
        samples = .allocate(byteCount: pitch * rowCount, alignment: 64)
        // The padding is computed with, though nobody looks at the results.
        samples.initializeMemory(as: UInt8.self, repeating: 0, count: pitch * rowCount)
    }

    deinit {
        samples.deallocate()
    }

    /// Takes a row of `columnCount` samples into a slot. Up to 7 more are read.
    func enter(grey row: UnsafePointer<PlaneSample>, slot: Int) {
        let target = self.slot(slot)
        var x = 0
        while x < columnCount {
            let samples = PixelConverter.clamped(PixelConverter.loaded(row, x))
            target.storeBytes(of: Self.entered(samples), toByteOffset: x &* 2, as: Eight.self)
            x &+= 8
        }
    }

    /// Takes a row of pixels into the slots of three rings. Up to 7 samples more are read of each plane.
    static func enter(
        _ first: UnsafePointer<PlaneSample>, _ second: UnsafePointer<PlaneSample>, _ third: UnsafePointer<PlaneSample>,
        isRGB: Bool,
        into rings: (PlaneRing, PlaneRing, PlaneRing), slot: Int
    ) {
        let columnCount = rings.0.columnCount
        precondition(rings.1.columnCount == columnCount && rings.2.columnCount == columnCount)
        let red = rings.0.slot(slot)
        let green = rings.1.slot(slot)
        let blue = rings.2.slot(slot)
        var x = 0
        while x < columnCount {
            let pixels = PixelConverter.converted(first, second, third, at: x, isRGB: isRGB)
            red.storeBytes(of: entered(pixels.0), toByteOffset: x &* 2, as: Eight.self)
            green.storeBytes(of: entered(pixels.1), toByteOffset: x &* 2, as: Eight.self)
            blue.storeBytes(of: entered(pixels.2), toByteOffset: x &* 2, as: Eight.self)
            x &+= 8
        }
    }

    /// 256 to a step around 0.
    @inline(__always)
    private static func entered(_ samples: Eight) -> Eight { (samples &- 128 &<< 5) &<< 3 }

    /// A multiple of 64 bytes.
    private func slot(_ slot: Int) -> UnsafeMutableRawPointer {
        precondition(slot < rowCount)
        return samples + slot * pitch
    }

    /// Weighs the rows, the oldest of which is in `firstSlot`, into a line of `pitch` bytes.
    func reduce(firstSlot: Int, taps: TapTable, output: Int, into target: UnsafeMutableRawPointer) {
        precondition(
            firstSlot < rowCount && taps.count == rowCount && (output + 1) * taps.count <= taps.fixedWeights.count)
        let bias = Eight(repeating: taps.truncationBias)
        let straight = rowCount - firstSlot
        taps.fixedWeights.withUnsafeBufferPointer { table in
            let weights = table.baseAddress! + output * taps.count
            var offset = 0
            while offset < pitch {
                var a = bias
                var b = bias
                var c = bias
                var d = bias
                @inline(__always) func add(_ range: Range<Int>, from slot: Int) {
                    var source = UnsafeRawPointer(samples) + (slot &* pitch &+ offset)
                    for tap in range {
                        let weight = Eight(repeating: weights[tap])
                        a = a &+ upperHalf(source.load(as: Eight.self), weight)
                        b = b &+ upperHalf(source.load(fromByteOffset: 16, as: Eight.self), weight)
                        c = c &+ upperHalf(source.load(fromByteOffset: 32, as: Eight.self), weight)
                        d = d &+ upperHalf(source.load(fromByteOffset: 48, as: Eight.self), weight)
                        source += pitch
                    }
                }
                add(0..<straight, from: firstSlot)
                add(straight..<rowCount, from: 0)
                target.storeBytes(of: a, toByteOffset: offset, as: Eight.self)
                target.storeBytes(of: b, toByteOffset: offset &+ 16, as: Eight.self)
                target.storeBytes(of: c, toByteOffset: offset &+ 32, as: Eight.self)
                target.storeBytes(of: d, toByteOffset: offset &+ 48, as: Eight.self)
                offset &+= 64
            }
        }
    }
}

/// Eight rows behind the vertical pass, and room to turn them on their side.
final class PlaneLines {
    static let height = 8

    /// Bytes of a row.
    let pitch: Int
    private let lines: UnsafeMutableRawPointer
    /// Sample by sample, eight rows beside each other.
    let turned: UnsafeMutableRawPointer

    init(pitch: Int) {
        self.pitch = pitch
        lines = .allocate(byteCount: pitch * Self.height, alignment: 64)
        lines.initializeMemory(as: UInt8.self, repeating: 0, count: pitch * Self.height)
        turned = .allocate(byteCount: pitch * Self.height, alignment: 64)
    }

    deinit {
        lines.deallocate()
        turned.deallocate()
    }

    func line(_ index: Int) -> UnsafeMutableRawPointer {
        precondition(index < Self.height)
        return lines + index * pitch
    }

    func turn() {
        var offset = 0
        while offset < pitch {
            @inline(__always) func eight(_ line: Int) -> SIMD8<Int16> {
                lines.load(fromByteOffset: line &* pitch &+ offset, as: SIMD8<Int16>.self)
            }
            transpose8x8(
                eight(0), eight(1), eight(2), eight(3), eight(4), eight(5), eight(6), eight(7),
                into: (turned + offset &* 8).assumingMemoryBound(to: SIMD8<Int16>.self), isWhole: true)
            offset &+= 16
        }
    }
}
