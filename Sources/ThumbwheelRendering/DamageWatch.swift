/// Looks in decoded rows for the neutral grey that libjpeg writes where the file's data are missing.
struct DamageWatch {
    private let width: Int
    private let channels: Int
    private var rowCount = 0
    /// The number of rows up to and including the last row with any pixel that is not grey.
    private(set) var rowCountBeforeGrey = 0
    /// The number of rows up to and including the last complete row. libjpeg fills the rest of an incomplete row with
    /// grey, so a row counts as complete if its last pixel is not grey.
    private(set) var wholeRowCount = 0
    /// Whether the last pixel of the latest row is grey. If the file's data are incomplete, libjpeg always ends the
    /// last row with grey.
    private(set) var endsGrey = false

    init(channels: Int, width: Int) {
        self.width = width
        self.channels = channels
    }

    mutating func look(at row: UnsafePointer<UInt8>) {
        rowCount += 1
        let samples = UnsafeBufferPointer(start: row, count: width * channels)
        endsGrey = samples.suffix(channels).allSatisfy { $0 == 128 }
        if !endsGrey { wholeRowCount = rowCount }
        if !endsGrey || samples.contains(where: { $0 != 128 }) { rowCountBeforeGrey = rowCount }
    }
}
