/// Looks for the neutral grey that libjpeg leaves where a file's data end.
struct DamageWatch {
    private let width: Int
    private let channels: Int
    private var rowCount = 0
    /// Rows up to the last one that is not grey all over.
    private(set) var rowsBeforeGrey = 0
    /// Rows up to the last one that does not end in grey: the whole ones.
    private(set) var wholeRows = 0
    /// Whether the last row seen ends in grey, as the last row of every image that lacks data does.
    private(set) var endsGrey = false

    init(channels: Int, width: Int) {
        self.width = width
        self.channels = channels
    }

    mutating func look(at row: UnsafePointer<UInt8>) {
        rowCount += 1
        let samples = UnsafeBufferPointer(start: row, count: width * channels)
        endsGrey = samples.suffix(channels).allSatisfy { $0 == 128 }
        if !endsGrey { wholeRows = rowCount }
        if !endsGrey || samples.contains(where: { $0 != 128 }) { rowsBeforeGrey = rowCount }
    }
}
