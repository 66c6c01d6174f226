/// Takes the rows of a decoded image from top to bottom, and makes an output image from them.
protocol RowConsumer: AnyObject {
    /// The rows that the consumer needs. The consumer gets all these rows, in order.
    var neededRows: Range<Int> { get }

    /// The columns that the consumer reads in its needed rows.
    var neededColumns: Range<Int> { get }

    /// Takes the next needed row in its whole width. `row` points to the row's samples. A sample takes one byte, or two
    /// bytes if the consumer was made for wider samples.
    func consume(_ row: UnsafePointer<UInt8>)
}

extension RowConsumer {
    /// All columns, for consumers that do not state which columns they read.
    var neededColumns: Range<Int> { 0..<Int.max }
}

extension RenderOptions {
    /// The least number of decoded pixels for each pixel of a high-quality image, in each direction: 3.5 if the best
    /// sampling is requested, and otherwise 2.
    var decodeHeadroom: Double { sampling == .best ? 3.5 : 2 }

    /// The least number of averages for each pixel of the image, in each direction, if blocks of decoded pixels are averaged
    /// before resampling.
    ///
    /// Averages lose more than a decoder that reduces by a transform. SSIMULACRA2, where 100 means no visible difference and at
    /// least 96 is wanted, of twelve PNG files of 8 to 13 megapixels at 256×256 is 95.8 in the mean and 92.1 at worst with the
    /// number 2, and 97.1 and 96.1 with 3.
    var averagingHeadroom: Double { sampling == .best ? 3.5 : quality == .fast ? 2 : 3 }
}
