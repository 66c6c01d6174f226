import ThumbwheelCore

/// The pixels of a whole interlaced picture. Each interlacing pass adds some of the pixels.
final class PNGCanvas {
    private let size: PixelSize
    private let bytesPerPixel: Int
    private let pixels: UnsafeMutableBufferPointer<UInt8>

    init(size: PixelSize, bytesPerPixel: Int) {
        self.size = size
        self.bytesPerPixel = bytesPerPixel
        // The memory is not set to zero, because each pixel is decoded or filled in before it is read.
        pixels = .allocate(capacity: size.pixelCount * bytesPerPixel)
    }

    deinit {
        pixels.deallocate()
    }

    func row(_ index: Int) -> UnsafeMutablePointer<UInt8> {
        precondition(index >= 0 && index < size.height)
        return pixels.baseAddress! + index * size.width * bytesPerPixel
    }

    /// Stores a row of one interlacing pass, each pixel at its place in the picture.
    func put(_ source: UnsafePointer<UInt8>, pass: PNGPass, row index: Int) {
        let count = pass.size(of: size).width
        let target = row(pass.top + index * pass.down) + pass.left * bytesPerPixel
        switch (pass.across, bytesPerPixel) {
        case (1, _): target.update(from: source, count: count * bytesPerPixel)
        case (_, 1): spread(source, count: count, to: target, bytesPerPixel: 1, across: pass.across)
        case (_, 2): spread(source, count: count, to: target, bytesPerPixel: 2, across: pass.across)
        case (_, 3): spread(source, count: count, to: target, bytesPerPixel: 3, across: pass.across)
        case (_, 4): spread(source, count: count, to: target, bytesPerPixel: 4, across: pass.across)
        default: spread(source, count: count, to: target, bytesPerPixel: bytesPerPixel, across: pass.across)
        }
    }

    @inline(__always)
    private func spread(
        _ source: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>, bytesPerPixel: Int,
        across: Int
    ) {
        for x in 0..<count {
            for byte in 0..<bytesPerPixel {
                target[x &* across &* bytesPerPixel &+ byte] = source[x &* bytesPerPixel &+ byte]
            }
        }
    }

    /// Fills the rows of an interlacing pass that could not be decoded: row `first` of the pass and all rows below it.
    /// The pixels of earlier passes divide the picture into blocks. Each filled pixel gets the colour of the pixel in
    /// the upper left corner of its block.
    ///
    /// - Parameters:
    ///   - bottom: the row of the picture at which the filling stops.
    ///   - guardian: is asked every 16 rows whether to go on.
    /// - Returns: the error with which the decode must stop; nil if all rows were filled.
    func fill(
        pass number: Int, fromRow first: Int, above bottom: Int, checking guardian: DecodeGuard
    ) -> RenderError? {
        let pass = PNGPass.all[number]
        guard number > 0 else { return nil }
        let count = pass.size(of: size)
        for index in first..<max(first, count.height) {
            let y = pass.top + index * pass.down
            guard y < bottom else { break }
            if (index - first) % 16 == 0, let interruption = guardian.interruption { return interruption }
            let (target, source) = (row(y), row(y - pass.top))
            for column in 0..<count.width {
                let x = pass.left + column * pass.across
                for byte in 0..<bytesPerPixel {
                    target[x * bytesPerPixel + byte] = source[(x - pass.left) * bytesPerPixel + byte]
                }
            }
        }
        return nil
    }
}
