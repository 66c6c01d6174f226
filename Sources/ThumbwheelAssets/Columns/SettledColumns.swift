import ThumbwheelFormats

/// Those columns of a chunk that most edits leave unchanged. A chunk is a block of rows. If a transaction changes only
/// favourites, hidden flags, creation dates, or the membership of Recently Deleted, the new version of the chunk shares
/// all these columns with the old version through a single reference.
///
/// The class is unchecked `Sendable` because its columns are variables. Only `ChunkColumns` uses it, and the rule for
/// writing at `ChunkColumns` applies here too.
final class SettledColumns: @unchecked Sendable {
    // Swift's run-time checks for overlapping accesses are turned off for the next three columns. The reason is stated
    // at `settled` in `ChunkColumns`.
    @exclusivity(unchecked) var identifiers: [AssetIdentifier]
    @exclusivity(unchecked) var contentVersion: [UInt32]
    @exclusivity(unchecked) var pictures: [PictureVersion]
    /// The number of the transaction that last changed each row. If `RowEdits` has an entry for a row, the number in
    /// that entry counts and not the number in this column.
    var changeNumber: [UInt64]
    /// The modification date of each row. If `RowEdits` has an entry for a row, the date in that entry counts and not
    /// the date in this column.
    var modification: [Double]
    var mediaType: [UInt8]
    var sourceType: [UInt8]
    var added: [Double]
    var width: [Int32]
    var height: [Int32]
    var fileSize: [Int64]

    /// The flags that are not in `ChunkColumns.flags`: all except the first `RowFlag.scopeCount`. For each flag there
    /// are `Chunk.wordCount` words, with one bit for each row.
    var flags: [UInt64]

    /// The media subtypes of the rows. Most rows have none, so this column is empty until a row has a value in it. The
    /// same holds for the five columns below it, from `duration` to `altitude`.
    var subtypes: [UInt64] = []
    var duration: [Double] = []
    var newestFileDate: [Double] = []
    var latitude: [Double] = []
    var longitude: [Double] = []
    var altitude: [Double] = []
    /// For each row, one word that is computed from the device number and the inode number of the asset's file; 0 if
    /// they are not known. A file keeps both numbers when it is moved within a file system. Imports recognize a moved
    /// file by this word, or by its first and last bytes, whose digest is in `samples`.
    var nodes: [UInt64] = []
    /// For each row, the digest of the first and last bytes of the asset's file; 0 if it is not known.
    var samples: [UInt64] = []

    var filenames = TextColumn()
    var bursts = TextColumn()

    /// The metadata values that many files share, each combination once. A file's head is the metadata at its start. A
    /// prototype is a head without the values that differ from file to file. Those values are in other columns, such as
    /// `captureClock`.
    var prototypes: [ImageHead] = []
    /// For each row, the index of its prototype in `prototypes`.
    var prototype: [UInt16]
    var captureClock: [UInt64]
    var captureZone: [Int32]
    var previewStart: [UInt32] = []
    var previewCount: [UInt32] = []

    /// The folders that contain the files of rows, each folder once. A row uses this column if its only resource is a
    /// photograph or video, and if the file of that resource has the asset's original filename.
    var folders: [String] = []
    /// For each row, the index of its file's folder in `folders`. It is `noFolder` for a row that does not use the
    /// column `folders`; the resources of such a row are in `details`.
    var folder: [UInt16]

    static let noFolder = UInt16.max

    /// The thumbnail hashes of the rows. All versions of the chunk share this column and the column `digests`, because
    /// hashes and digests are added outside transactions.
    ///
    /// Both columns are stored in this class and not in `ChunkColumns`, to make the copying of a `ChunkColumns` faster.
    /// A copy increments the reference count of each object to which it refers. In a large library, each increment
    /// takes a cache miss.
    let hashes: HashColumn
    /// The digests of the rows' original files. A digest is a hash of all bytes of a file.
    let digests: DigestColumn

    // The columns get their first values here, and not in their declarations. Values in the declarations would be
    // assigned in every initialiser. So `init(copying:)` would first make an array of `Chunk.rowCount` values for each
    // column, and then replace the array.
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
        hashes = HashColumn()
        digests = DigestColumn()
        flags = [UInt64](repeating: 0, count: RowFlag.settledCount * Chunk.wordCount)
    }

    /// Makes a copy that can be changed.
    ///
    /// - Parameter isSameChunk: true if the copy is for a new version of the same chunk. It then shares the columns
    ///   `hashes` and `digests` with the original. False if the copy is for a chunk of its own, in which these two
    ///   columns are empty.
    init(copying other: SettledColumns, isSameChunk: Bool = true) {
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
        newestFileDate = other.newestFileDate
        latitude = other.latitude
        longitude = other.longitude
        altitude = other.altitude
        nodes = other.nodes
        samples = other.samples
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
        hashes = isSameChunk ? other.hashes : HashColumn()
        digests = isSameChunk ? other.digests : DigestColumn()
    }
}

extension ChunkColumns {
    var hashes: HashColumn { settled.hashes }
    var digests: DigestColumn { settled.digests }
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
    var newestFileDate: [Double] { settled.newestFileDate }
    var latitude: [Double] { settled.latitude }
    var longitude: [Double] { settled.longitude }
    var altitude: [Double] { settled.altitude }
    var nodes: [UInt64] { settled.nodes }
    var samples: [UInt64] { settled.samples }
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
