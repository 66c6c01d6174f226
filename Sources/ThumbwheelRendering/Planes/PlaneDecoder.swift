import ThumbwheelCore

/// A decoder that can hand over its planes separately, one for each colour component, each at its own scale. Subsampled
/// planes then need not be interpolated to the scale of the other planes before they are resampled.
protocol PlaneDecoder: RowDecoder {
    var scales: PlaneScales { get }
    var colors: PlaneColors { get }
    /// The means of the picture's blocks, if the decoder was asked to collect them and gets them without extra work;
    /// nil otherwise.
    var means: BlockMeans? { get }

    /// Asks the decoder to collect the means of the picture's blocks (`means`) during the decode, if it can.
    func collectMeans()

    /// Lets idle threads help with the decode.
    func share(with assistants: any RenderAssistants)

    /// Decodes the rows that the consumer needs, each plane at its own scale. It may be called only once.
    func forEachRow(to consumer: any PlaneRowConsumer) -> DecodeEnd
}

extension PlaneDecoder {
    func forEachRow(
        in rows: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> (count: Int, error: RenderError?) {
        withoutActuallyEscaping(body) { body in
            let interleaver = PixelInterleaver(
                channels: channels, width: size.width, colors: colors, rows: rows, body: body)
            let end = forEachRow(to: PixelAssembler(scales, size: size, consumer: interleaver))
            guard let error = end.error else { return (rows.count, nil) }
            let decodedCount = Int(end.decodedFraction * Double(size.height))
            return ((0..<decodedCount).clamped(to: rows).count, error)
        }
    }
}
