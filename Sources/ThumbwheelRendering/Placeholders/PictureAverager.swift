import ThumbwheelCore

extension ResamplingPlan {
    /// The longer side, in pixels, of the reduced picture that a `ThumbHash` is made from. With this length, half a
    /// period of the highest frequency in a hash has eight pixels. So making the pixels by averaging hardly weakens
    /// this frequency.
    static let hashSide = 48

    /// Plans the reduced picture that a hash is made from. The plan reduces the whole decoded picture to as few pixels
    /// as a hash needs, by averaging blocks of whole pixels.
    init(forHashOf decodedSize: PixelSize, channels: Int) {
        let reduction = Self.hashReduction(of: decodedSize)
        func side(_ count: Int) -> Int { (count + reduction - 1) / reduction }
        self.init(
            decodedSize: decodedSize, channels: channels,
            box: SourceBox(x: 0, y: 0, width: Double(decodedSize.width), height: Double(decodedSize.height)),
            outputSize: PixelSize(width: side(decodedSize.width), height: side(decodedSize.height)), isLinear: false)
        isOfMeans = true
    }

    fileprivate static func hashReduction(of size: PixelSize) -> Int {
        min(256, (max(size.width, size.height) + hashSide - 1) / hashSide)
    }
}

/// Reduces a picture by averaging blocks of pixels, without a resampling kernel. That is precise enough for a
/// `ThumbHash`, which contains only a blurred picture.
final class PictureAverager: RowConsumer {
    let neededRows: Range<Int>
    private var reducer: BoxReducer?
    private var premultipliedReducer: PixelReducer?
    private let store: OrientedStore
    private var line: [UInt8]
    private var rowsOut = 0

    init(_ plan: ResamplingPlan, store: OrientedStore) {
        let side = ResamplingPlan.hashReduction(of: plan.decodedSize)
        let reduction = BoxReduction(horizontal: side, vertical: side)
        let columns = 0..<plan.outputSize.width
        if plan.format == .rgba {
            premultipliedReducer = PixelReducer(
                .premultiplied, reduction: reduction, channels: plan.channels, columns: columns,
                decodedSize: plan.decodedSize, firstRow: 0)
        } else {
            reducer = BoxReducer(
                reduction: reduction, channels: plan.channels, columns: columns, decodedSize: plan.decodedSize,
                firstRow: 0)
        }
        neededRows = 0..<plan.decodedSize.height
        self.store = store
        line = Array(repeating: 0, count: columns.count * plan.format.bytesPerPixel)
    }

    func consume(_ row: UnsafePointer<UInt8>) {
        if reducer != nil {
            guard let averages = reducer!.add(row) else { return }
            averages.withUnsafeBufferPointer { averages in
                line.withUnsafeMutableBufferPointer { line in
                    // The averages have 8 fractional bits and are at most 255 · 256, so the rounded result fits a byte.
                    for index in 0..<averages.count {
                        line[index] = UInt8(truncatingIfNeeded: (averages[index] &+ 128) &>> 8)
                    }
                }
            }
        } else {
            guard let averages = premultipliedReducer!.add(row) else { return }
            for start in stride(from: 0, to: averages.count, by: 4) {
                let alpha = Int(averages[start + 3])
                for index in start..<start + 3 {
                    line[index] = alpha > 0 ? UInt8(min(255, (Int(averages[index]) * 255 + alpha / 2) / alpha)) : 0
                }
                line[start + 3] = UInt8(min(255, (alpha + 128) >> 8))
            }
        }
        line.withUnsafeBytes { store.put(row: $0.baseAddress!, at: rowsOut) }
        rowsOut += 1
    }
}
