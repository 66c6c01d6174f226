/// A strip or tile in any compression but JPEG. Decompresses its rows, undoes the predictor (which has stored
/// differences between neighbouring samples), and converts the samples to the channels of pixels.
final class TIFFSampleBlock: TIFFBlock {
    private let samples: any TIFFDecompressor
    private let format: TIFFSampleFormat
    private let converter: TIFFSampleConverter
    private let blockWidth: Int
    private let bytesPerRow: Int
    // The rows as the file stores them (`stored`), and the samples that the predictor makes from these rows
    // (`predicted`).
    private let stored: AlignedPlane<UInt8>
    private let predicted: AlignedPlane<UInt8>

    /// - Parameters:
    ///   - width: the number of pixels in a row of the strip or tile.
    ///   - rowCount: the largest number of rows that are taken at once.
    init(
        _ samples: any TIFFDecompressor, format: TIFFSampleFormat, converter: TIFFSampleConverter, width: Int,
        bytesPerRow: Int, rowCount: Int
    ) {
        self.samples = samples
        self.format = format
        self.converter = converter
        blockWidth = width
        self.bytesPerRow = bytesPerRow
        stored = AlignedPlane(pitch: bytesPerRow, rowCount: rowCount, slack: TIFFPredictor.slack)
        let isPredicted = format.predictor != nil
        predicted = AlignedPlane(pitch: isPredicted ? bytesPerRow : 0, rowCount: isPredicted ? rowCount : 0)
    }

    func takeRows(
        _ count: Int, width: Int, into target: UnsafeMutablePointer<UInt8>, pitch: Int
    ) -> (count: Int, error: RenderError?) {
        precondition(count <= stored.rowCount && width <= blockWidth)
        let wanted = count * bytesPerRow
        let (filled, error) = samples.fill(UnsafeMutableRawBufferPointer(start: stored.bytes, count: wanted))
        let made = filled / bytesPerRow
        if let predictor = format.predictor {
            let rows = TIFFPredictor.Rows(start: stored.bytes, pitch: bytesPerRow)
            if format.isPlain, width == blockWidth {
                predictor.undo(rows, count: made, width: width, into: TIFFPredictor.Rows(start: target, pitch: pitch))
            } else {
                predictor.undo(
                    rows, count: made, width: blockWidth,
                    into: TIFFPredictor.Rows(start: predicted.bytes, pitch: bytesPerRow))
                for index in 0..<made {
                    converter.convert(predicted[index], width: width, into: target + index * pitch)
                }
            }
        } else {
            for index in 0..<made { converter.convert(stored[index], width: width, into: target + index * pitch) }
        }
        guard made < count else { return (count, nil) }
        return (made, error ?? .malformed(reason: "a strip or tile ends before its last row"))
    }
}
