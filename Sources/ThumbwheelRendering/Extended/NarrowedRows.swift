/// Converts rows of 16-bit samples to rows of 8-bit samples, for a consumer that takes only 8-bit samples.
final class NarrowedRows: RowConsumer {
    let neededRows: Range<Int>
    private let consumer: any RowConsumer
    private var line: [UInt8]

    /// - Parameter sampleCount: the number of samples in a row.
    init(_ consumer: any RowConsumer, sampleCount: Int) {
        self.consumer = consumer
        neededRows = consumer.neededRows
        line = Array(repeating: 0, count: sampleCount)
    }

    func consume(_ row: UnsafePointer<UInt8>) {
        line.withUnsafeMutableBufferPointer { line in
            for index in line.indices {
                let sample = UnsafeRawPointer(row).loadUnaligned(fromByteOffset: index &* 2, as: UInt16.self)
                line[index] = UInt8(truncatingIfNeeded: (UInt32(sample) &* 255 &+ 32895) &>> 16)
            }
            consumer.consume(UnsafePointer(line.baseAddress!))
        }
    }
}
