import ThumbwheelCore
import ThumbwheelFormats

extension Bitmap {
    /// Resamples a part of the bitmap to another size, with the kernel and in the colour space that `options` ask for.
    ///
    /// - Parameter box: the part to resample, in pixels of the bitmap.
    /// - Throws: `.cancelled`, soon after the cancellation token is cancelled.
    package func resampled(
        _ box: SourceBox, to size: PixelSize, options: RenderOptions, cancellation: CancellationToken? = nil
    ) throws(RenderError) -> Bitmap {
        let isLight = format == .linearRGBA
        let plan = ResamplingPlan(
            decodedSize: self.size, channels: isLight ? 4 : format.bytesPerPixel, box: box, outputSize: size,
            isLinear: options.isLinear, headroom: options.averagingHeadroom)
        return try Bitmap(size: size, format: format) { target throws(RenderError) in
            let store = OrientedStore(target, storedSize: size, format: format, orientation: .up)
            let consumer =
                isLight ? plan.makeConsumer(ofLightStoringInto: store) : plan.makeConsumer(storingInto: store)
            let isComplete = withUnsafeBytes { rows in
                let rows = rows.bindMemory(to: UInt8.self).baseAddress!
                for row in consumer.neededRows {
                    if row % Self.rowsPerBand == 0, cancellation?.isCancelled ?? false { return false }
                    consumer.consume(rows + row * bytesPerRow)
                }
                return true
            }
            guard isComplete else { throw .cancelled }
        }
    }

    /// The number of rows between two checks of the cancellation token.
    private static let rowsPerBand = 64
}
