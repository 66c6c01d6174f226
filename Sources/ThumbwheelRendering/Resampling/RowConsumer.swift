/// Takes the rows of a decode from top to bottom and makes the output of them.
protocol RowConsumer: AnyObject {
    /// The rows it wants to see, all of them, in order.
    var neededRows: Range<Int> { get }

    /// The columns that it looks at.
    var neededColumns: Range<Int> { get }

    /// Takes the next row: the decode's whole width, `channels` bytes a pixel.
    func consume(_ row: UnsafePointer<UInt8>)
}

extension RowConsumer {
    /// All of them.
    var neededColumns: Range<Int> { 0..<Int.max }
}

extension RenderOptions {
    /// Decoded pixels per output pixel that a box reduction must leave for the kernel.
    var decodeHeadroom: Double { sampling == .best ? 3.5 : 2 }
}
