#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The index of a store: which value lies where. It is a SQLite database, which several processes may use at once, and which
/// is as it was after the last transaction even if a process is killed.
final class StoreIndex {
    /// The place of a value, and what is known of it.
    struct Entry: Equatable {
        var segment: Int64
        var offset: Int
        var length: Int
        /// Whether the value has been read since it was written to its segment.
        var isUsed: Bool
        /// Whether the value says that something cannot be made.
        var isNegative: Bool
        /// The microseconds that it took to make the value.
        var cost: UInt32
    }

    struct Segment: Equatable {
        let number: Int64
        /// The bytes that have been written to the segment.
        var byteCount: Int
    }

    /// The version of the format of index and segments.
    static let version: Int64 = 1
    /// The length of the longest segment, in bytes. Half of a segment can be in memory while it is given up.
    static let segmentByteLimit = 64 << 20

    private let path: String
    private let database: SQLiteDatabase
    private let finding: SQLiteStatement
    private let inserting: SQLiteStatement
    private let deleting: SQLiteStatement
    private let marking: SQLiteStatement
    private let adding: SQLiteStatement
    private let growing: SQLiteStatement
    private let dropping: SQLiteStatement
    private let listing: SQLiteStatement
    private let beginning: SQLiteStatement
    private let ending: SQLiteStatement

    /// Opens the index, and makes it if there is none.
    ///
    /// - Parameter logPageCount: the pages that SQLite's log may have before they are copied into the database.
    init(path: String, logPageCount: Int) throws(StoreError) {
        self.path = path
        database = try SQLiteDatabase(path: path)
        try database.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL")
        try database.execute("PRAGMA wal_autocheckpoint=\(logPageCount); PRAGMA journal_size_limit=0")
        try Self.prepare(database)
        finding = try database.prepare("SELECT place, length, state FROM entries WHERE id=?")
        inserting = try database.prepare("INSERT OR REPLACE INTO entries VALUES(?, ?, ?, ?)")
        deleting = try database.prepare("DELETE FROM entries WHERE id=? AND place=?")
        marking = try database.prepare("UPDATE entries SET state=state|1 WHERE id=? AND state&1=0")
        adding = try database.prepare("INSERT INTO segments(bytes) VALUES(0)")
        growing = try database.prepare("UPDATE segments SET bytes=?2 WHERE number=?1")
        dropping = try database.prepare("DELETE FROM segments WHERE number=?")
        beginning = try database.prepare("BEGIN")
        ending = try database.prepare("COMMIT")
        listing = try database.prepare("SELECT number, bytes FROM segments ORDER BY number")
    }

    private static func prepare(_ database: SQLiteDatabase) throws(StoreError) {
        // Two processes may open a new store at once; the transaction lets one of them make the tables.
        guard try database.number("PRAGMA user_version") != version else { return }
        try database.transaction { () throws(StoreError) in
            let present = try database.number("PRAGMA user_version") ?? 0
            guard present != version else { return }
            guard present == 0 else { throw .laterVersion(Int(present)) }
            try database.execute(
                """
                CREATE TABLE entries(
                    id INTEGER PRIMARY KEY, place INTEGER NOT NULL, length INTEGER NOT NULL, state INTEGER NOT NULL);
                CREATE TABLE segments(number INTEGER PRIMARY KEY AUTOINCREMENT, bytes INTEGER NOT NULL);
                PRAGMA user_version=\(version)
                """)
        }
    }

    func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try database.transaction(body)
    }

    /// Makes the look-ups that follow see the index as it is at the first of them. SQLite then takes its locks once for all of
    /// them.
    func beginReading() throws(StoreError) { try beginning.run() }

    func endReading() throws(StoreError) { try ending.run() }

    // MARK: Entries

    func entry(_ key: StoreKey) throws(StoreError) -> Entry? {
        defer { finding.end() }
        try finding.start(key.row)
        guard try finding.next() else { return nil }
        return Entry(place: finding[0], length: finding[1], state: finding[2])
    }

    func insert(_ entry: Entry, for key: StoreKey) throws(StoreError) {
        try inserting.run(key.row, entry.place, Int64(entry.length), entry.state)
    }

    /// Removes the entry of a key, if it still has the place of `entry`.
    func remove(_ entry: Entry, of key: StoreKey) throws(StoreError) {
        try deleting.run(key.row, entry.place)
    }

    /// Removes the entry in a row, if it still has that place.
    func remove(row: Int64, place: Int64) throws(StoreError) {
        try deleting.run(row, place)
    }

    /// All entries with their rows, in the order in which their values lie on the disk.
    func allEntries() throws(StoreError) -> [(row: Int64, entry: Entry)] {
        let statement = try database.prepare("SELECT id, place, length, state FROM entries ORDER BY place")
        var entries: [(row: Int64, entry: Entry)] = []
        while try statement.next() {
            entries.append((statement[0], Entry(place: statement[1], length: statement[2], state: statement[3])))
        }
        return entries
    }

    /// Notes that a value has been read.
    func markUsed(_ key: StoreKey) throws(StoreError) {
        try marking.run(key.row)
    }

    // MARK: Segments

    /// Adds a segment, whose number is higher than that of every segment before it.
    func addSegment() throws(StoreError) -> Int64 {
        try adding.run()
        guard let number = try database.number("SELECT last_insert_rowid()") else {
            throw .damagedIndex(code: 0)
        }
        return number
    }

    func setByteCount(_ byteCount: Int, ofSegment number: Int64) throws(StoreError) {
        try growing.run(number, Int64(byteCount))
    }

    func removeSegment(_ number: Int64) throws(StoreError) {
        try dropping.run(number)
    }

    /// All segments, the oldest first.
    func segments() throws(StoreError) -> [Segment] {
        var segments: [Segment] = []
        try listing.start()
        while try listing.next() {
            segments.append(Segment(number: listing[0], byteCount: Int(listing[1])))
        }
        return segments
    }

    // MARK: Figures

    /// The bytes of the index's own file and of its log. While several processes write at once, the log can grow for as long
    /// as none of them finds it idle.
    func byteCount() throws(StoreError) -> Int {
        let pages = try database.number("PRAGMA page_count") ?? 0
        var status = stat()
        let logByteCount = stat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
        return Int(pages * (try database.number("PRAGMA page_size") ?? 0)) + logByteCount
    }

    /// The number of entries, and the bytes of their values. Takes time in proportion to the number of entries.
    func totals() throws(StoreError) -> (entryCount: Int, valueByteCount: Int, negativeCount: Int) {
        let totals = try database.prepare(
            "SELECT count(*), coalesce(sum(length), 0), coalesce(sum(state&2)/2, 0) FROM entries")
        guard try totals.next() else { return (0, 0, 0) }
        defer { totals.end() }
        return (Int(totals[0]), Int(totals[1]), Int(totals[2]))
    }

    /// Gives the pages of removed entries back to the file system.
    func compact() throws(StoreError) {
        try database.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Removes all entries and segments.
    func removeAll() throws(StoreError) {
        try database.execute("DELETE FROM entries; DELETE FROM segments")
    }
}

extension StoreIndex.Entry {
    /// - Parameters:
    ///   - place: the segment's number in the upper, the offset in the lower 32 bits.
    ///   - state: bit 0 is set if the value has been read, bit 1 if it is negative; the cost lies above.
    init(place: Int64, length: Int64, state: Int64) {
        segment = place >> 32
        offset = Int(place & 0xFFFF_FFFF)
        self.length = Int(length)
        isUsed = state & 1 != 0
        isNegative = state & 2 != 0
        cost = UInt32(truncatingIfNeeded: state >> 2)
    }

    var place: Int64 { segment << 32 | Int64(offset) }
    var state: Int64 { Int64(cost) << 2 | (isNegative ? 2 : 0) | (isUsed ? 1 : 0) }
}
