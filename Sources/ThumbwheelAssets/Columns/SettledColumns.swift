import ThumbwheelFormats

/// The columns of a chunk that most edits do not change. A transaction that only changes favourites, hidden flags,
/// deletions or dates shares all of them through one reference.
///
/// The class is unchecked for the same reason and under the same rule as `ChunkColumns`, its only user.
final class SettledColumns: @unchecked Sendable {
    // Run-time exclusivity checks are off for these columns, as they are for `settled` in `ChunkColumns`.
    @exclusivity(unchecked) var identifiers: [AssetIdentifier]
    @exclusivity(unchecked) var contentVersion: [UInt32]
    @exclusivity(unchecked) var pictures: [PictureVersion]
    // The values of rows whose later edits are not listed in `RowEdits`.
    var changeNumber: [UInt64]
    var modification: [Double]
    var mediaType: [UInt8]
    var sourceType: [UInt8]
    var added: [Double]
    var width: [Int32]
    var height: [Int32]
    var fileSize: [Int64]

    /// The bits of all flags beyond `RowFlag.scopeCount`, `Chunk.wordCount` words for each.
    var flags: [UInt64]

    // Columns for values that most rows lack; each is empty until the first row has the value.
    var subtypes: [UInt64] = []
    var duration: [Double] = []
    var fileDate: [Double] = []
    var latitude: [Double] = []
    var longitude: [Double] = []
    var altitude: [Double] = []

    var filenames = TextColumn()
    var bursts = TextColumn()

    // The heads of files: prototypes store the parts that files have in common once, and columns store the other parts
    // for each row.
    var prototypes: [ImageHead] = []
    var prototype: [UInt16]
    var captureClock: [UInt64]
    var captureZone: [Int32]
    var previewStart: [UInt32] = []
    var previewCount: [UInt32] = []

    /// The folders of files that are named like their assets. Rows with other resources have `noFolder`, and their
    /// resources are in `details`.
    var folders: [String] = []
    var folder: [UInt16]

    static let noFolder = UInt16.max

    // The columns have no default values, because `init(copying:)` would also make these, with some five hundred rows
    // each, only to discard them.
    init() {
        identifiers = ChunkColumns.column(AssetIdentifier(high: 0, low: 0))
        changeNumber = ChunkColumns.column(UInt64(0))
        modification = ChunkColumns.column(AbsentNumber.value)
        contentVersion = ChunkColumns.column(UInt32(0))
        pictures = ChunkColumns.column(PictureVersion(contentVersion: 0))
        mediaType = ChunkColumns.column(UInt8(0))
        sourceType = ChunkColumns.column(UInt8(0))
        added = ChunkColumns.column(AbsentNumber.value)
        width = ChunkColumns.column(Int32(0))
        height = ChunkColumns.column(Int32(0))
        fileSize = ChunkColumns.column(Int64(0))
        prototype = ChunkColumns.column(UInt16(0))
        captureClock = ChunkColumns.column(UInt64(0))
        captureZone = ChunkColumns.column(PackedCaptureDate.absentZone)
        folder = ChunkColumns.column(SettledColumns.noFolder)
        flags = [UInt64](repeating: 0, count: RowFlag.settledCount * Chunk.wordCount)
    }

    init(copying other: SettledColumns) {
        identifiers = other.identifiers
        changeNumber = other.changeNumber
        modification = other.modification
        contentVersion = other.contentVersion
        pictures = other.pictures
        mediaType = other.mediaType
        sourceType = other.sourceType
        added = other.added
        width = other.width
        height = other.height
        fileSize = other.fileSize
        flags = other.flags
        subtypes = other.subtypes
        duration = other.duration
        fileDate = other.fileDate
        latitude = other.latitude
        longitude = other.longitude
        altitude = other.altitude
        filenames = other.filenames
        bursts = other.bursts
        prototypes = other.prototypes
        prototype = other.prototype
        captureClock = other.captureClock
        captureZone = other.captureZone
        previewStart = other.previewStart
        previewCount = other.previewCount
        folders = other.folders
        folder = other.folder
    }
}

extension ChunkColumns {
    var identifiers: [AssetIdentifier] { settled.identifiers }
    var contentVersion: [UInt32] { settled.contentVersion }
    var pictures: [PictureVersion] { settled.pictures }
    var mediaType: [UInt8] { settled.mediaType }
    var sourceType: [UInt8] { settled.sourceType }
    var added: [Double] { settled.added }
    var width: [Int32] { settled.width }
    var height: [Int32] { settled.height }
    var fileSize: [Int64] { settled.fileSize }
    var subtypes: [UInt64] { settled.subtypes }
    var duration: [Double] { settled.duration }
    var fileDate: [Double] { settled.fileDate }
    var latitude: [Double] { settled.latitude }
    var longitude: [Double] { settled.longitude }
    var altitude: [Double] { settled.altitude }
    var filenames: TextColumn { settled.filenames }
    var bursts: TextColumn { settled.bursts }
    var prototypes: [ImageHead] { settled.prototypes }
    var prototype: [UInt16] { settled.prototype }
    var captureClock: [UInt64] { settled.captureClock }
    var captureZone: [Int32] { settled.captureZone }
    var previewStart: [UInt32] { settled.previewStart }
    var previewCount: [UInt32] { settled.previewCount }
    var folders: [String] { settled.folders }
    var folder: [UInt16] { settled.folder }
}
