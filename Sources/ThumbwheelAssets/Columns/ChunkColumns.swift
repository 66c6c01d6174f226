import ThumbwheelFormats

/// The columns of a chunk. All but the ones marked so have room for every row from the start, so that scans need no end.
struct ChunkColumns: Sendable {
    var count = 0
    /// `Chunk.wordCount` words for each flag, in the order of `RowFlag`.
    var flags = [UInt64](repeating: 0, count: RowFlag.allCases.count * Chunk.wordCount)
    var high = Self.column(UInt64(0))
    var low = Self.column(UInt64(0))
    /// The number of the transaction that touched the row last.
    var changeNumber = Self.column(UInt64(0))
    var contentVersion = Self.column(UInt32(0))
    var mediaType = Self.column(UInt8(0))
    var sourceType = Self.column(UInt8(0))
    var creation = Self.column(AbsentNumber.value)
    var modification = Self.column(AbsentNumber.value)
    var added = Self.column(AbsentNumber.value)
    var width = Self.column(Int32(0))
    var height = Self.column(Int32(0))
    var fileSize = Self.column(Int64(0))

    // What most libraries' rows lack: empty until the first row has it.
    var subtypes: [UInt64] = []
    var duration: [Double] = []
    var latitude: [Double] = []
    var longitude: [Double] = []
    var altitude: [Double] = []
    var fileDate: [Double] = []

    var filenames = TextColumn()
    var bursts = TextColumn()

    // The head: what files have in common once, what tells them apart row by row.
    var prototypes: [ImageHead] = []
    var prototype = Self.column(UInt16(0))
    var captureClock = Self.column(UInt64(0))
    var captureZone = Self.column(PackedCaptureDate.absentZone)
    var previewStart: [UInt32] = []
    var previewCount: [UInt32] = []

    /// The folders of files that are called what their assets are; `noFolder` for other resources, which are in `details`.
    var folders: [String] = []
    var folder = Self.column(Self.noFolder)

    /// What few rows have.
    var details: [Int: RowDetails] = [:]

    /// At least the newest creation date of the rows.
    var newestCreation = -Double.infinity

    static let noFolder = UInt16.max

    static func column<Value>(_ value: Value) -> [Value] { [Value](repeating: value, count: Chunk.rowCount) }

    subscript(flag: RowFlag, slot: Int) -> Bool {
        get { flags[flag.rawValue &* Chunk.wordCount &+ slot >> 6] >> UInt64(slot & 63) & 1 == 1 }
        set {
            let word = flag.rawValue * Chunk.wordCount + slot >> 6
            let bit: UInt64 = 1 << UInt64(slot & 63)
            // No copy of shared planes for what is so already.
            if newValue != (flags[word] & bit != 0) { flags[word] ^= bit }
        }
    }

    /// A flag of all rows.
    func mask(_ flag: RowFlag) -> RowMask {
        let start = flag.rawValue * Chunk.wordCount
        return flags.withUnsafeBufferPointer { words in
            var mask = RowMask.none
            for word in 0..<Chunk.wordCount { mask[word] = words[start + word] }
            return mask
        }
    }
}

/// What few rows have.
struct RowDetails: Sendable {
    /// Where these are not one photograph in a file of the asset's own name.
    var resources: [AssetResource]?
    /// Where the head does not fit into its columns.
    var head: ImageHead?
    var adjustment: AssetFacts.Adjustment?
    var trashed: Double?

    var isEmpty: Bool { resources == nil && head == nil && adjustment == nil && trashed == nil }
}
