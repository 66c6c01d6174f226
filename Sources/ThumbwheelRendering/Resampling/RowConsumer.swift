/// Takes the rows of a decode from top to bottom and makes an output of them.
protocol RowConsumer: AnyObject {
    /// The rows that the consumer needs. It gets all of them, in order.
    var neededRows: Range<Int> { get }

    /// The columns that the consumer looks at in those rows.
    var neededColumns: Range<Int> { get }

    /// Takes the next needed row: the decode's whole width, with one byte for each channel of a pixel.
    func consume(_ row: UnsafePointer<UInt8>)
}

extension RowConsumer {
    /// All columns, for consumers that do not tell which columns they look at.
    var neededColumns: Range<Int> { 0..<Int.max }
}

extension RenderOptions {
    /// The number of decoded pixels per output pixel that a box reduction must leave for the kernel.
    var decodeHeadroom: Double { sampling == .best ? 3.5 : 2 }
}
