import ThumbwheelCore

/// The pixels of a whole interlaced picture, which its passes fill step by step.
final class PNGCanvas {
    private let size: PixelSize
    private let channels: Int
    private let pixels: UnsafeMutableBufferPointer<UInt8>

    init(size: PixelSize, channels: Int) {
        self.size = size
        self.channels = channels
        // The memory is not set to zero, because each pixel is decoded or filled in before it is read.
        pixels = .allocate(capacity: size.pixelCount * channels)
    }

    deinit {
        pixels.deallocate()
    }

    func row(_ index: Int) -> UnsafeMutablePointer<UInt8> {
        precondition(index >= 0 && index < size.height)
        return pixels.baseAddress! + index * size.width * channels
    }

    /// Stores the pixels of a pass's row at their places in the picture.
    func put(_ source: UnsafePointer<UInt8>, pass: PNGPass, row index: Int) {
        let count = pass.size(of: size).width
        let target = row(pass.top + index * pass.down) + pass.left * channels
        switch (pass.across, channels) {
        case (1, _): target.update(from: source, count: count * channels)
        case (_, 1): spread(source, count: count, to: target, channels: 1, across: pass.across)
        case (_, 2): spread(source, count: count, to: target, channels: 2, across: pass.across)
        case (_, 3): spread(source, count: count, to: target, channels: 3, across: pass.across)
        default: spread(source, count: count, to: target, channels: 4, across: pass.across)
        }
    }

    @inline(__always)
    private func spread(
        _ source: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>, channels: Int, across: Int
    ) {
        for x in 0..<count {
            for channel in 0..<channels {
                target[x &* across &* channels &+ channel] = source[x &* channels &+ channel]
            }
        }
    }

    /// Fills the rows of a pass that could not be decoded: row `first` of the pass and all rows below it. Each pixel
    /// gets the colour of an earlier pass's pixel, the one in the upper left corner of the block around it.
    ///
    /// - Parameter bottom: the row of the picture at which the filling stops.
    func fill(pass number: Int, fromRow first: Int, above bottom: Int) {
        let pass = PNGPass.all[number]
        guard number > 0 else { return }
        let count = pass.size(of: size)
        for index in first..<max(first, count.height) {
            let y = pass.top + index * pass.down
            guard y < bottom else { break }
            let (target, source) = (row(y), row(y - pass.top))
            for column in 0..<count.width {
                let x = pass.left + column * pass.across
                for channel in 0..<channels {
                    target[x * channels + channel] = source[(x - pass.left) * channels + channel]
                }
            }
        }
    }
}
