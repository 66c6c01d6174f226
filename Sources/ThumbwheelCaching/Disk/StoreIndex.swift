#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The index of a store: the segment and the offset of each value. It is a SQLite database in write-ahead mode. Several
/// processes can use it at once, and it survives the sudden end of a process.
final class StoreIndex {
    /// The place of a value on the disk, and facts about the value.
    struct Entry: Equatable {
        var segment: Int64
        var offset: Int
        var length: Int
        /// Whether the value has been read since it was written to its segment.
        var isUsed: Bool
        /// Whether the value is negative: a note that something cannot be made.
        var isNegative: Bool
        /// The microseconds that it took to make the value.
        var cost: UInt32
    }

    struct Segment: Equatable {
        let number: Int64
        /// The bytes in use, at the start of the segment's file.
        var byteCount: Int
    }

    /// The version of the format of index and segments.
    static let version: Int64 = 1

    let path: String
    private let logPageCount: Int
    /// The length of the log, in bytes, from which on it is shortened.
    private var logByteLimit: Int
    let database: SQLiteDatabase
    private let finding: SQLiteStatement
    private let inserting: SQLiteStatement
    private let deleting: SQLiteStatement
    private let marking: SQLiteStatement
    private let adding: SQLiteStatement
    private let growing: SQLiteStatement
    private let dropping: SQLiteStatement
    private let listing: SQLiteStatement
    private let choosing: SQLiteStatement
    private let touching: SQLiteStatement
    private let forgetting: SQLiteStatement
    private let beginning: SQLiteStatement
    private let ending: SQLiteStatement

    /// Opens the index, and makes it if it does not exist and may be written.
    ///
    /// - Parameters:
    ///   - logPageCount: the number of pages at which SQLite's write-ahead log is copied into the database.
    ///   - lastNumber: if the index is made, its segments get numbers that are larger than this.
    init(
        path: String, logPageCount: Int, for access: SQLiteDatabase.Access = .writing,
        numbersAfter lastNumber: Int64 = 0
    ) throws(StoreError) {
        (self.path, self.logPageCount) = (path, logPageCount)
        logByteLimit = 2 * logPageCount * Self.pageByteCount
        database = try SQLiteDatabase(path: path, for: access)
        if access == .writing {
            try database.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL")
            // A log that keeps its usual length is written in place. If it were emptied each time, the file system would have
            // to find a new place for each of its pages.
            let byteCount = logPageCount * Self.pageByteCount
            try database.execute("PRAGMA wal_autocheckpoint=\(logPageCount); PRAGMA journal_size_limit=\(byteCount)")
            try Self.prepare(database, numbersAfter: lastNumber)
        } else {
            try Self.check(database)
        }
        finding = try database.prepare("SELECT place, length, state FROM entries WHERE id=?")
        inserting = try database.prepare("INSERT OR IGNORE INTO entries VALUES(?, ?, ?, ?)")
        deleting = try database.prepare("DELETE FROM entries WHERE id=? AND place=?")
        marking = try database.prepare("UPDATE entries SET state=state|1 WHERE id=? AND state&1=0")
        adding = try database.prepare("INSERT INTO segments(bytes) VALUES(0)")
        growing = try database.prepare("UPDATE segments SET bytes=?2 WHERE number=?1")
        dropping = try database.prepare("DELETE FROM segments WHERE number=?")
        beginning = try database.prepare("BEGIN")
        ending = try database.prepare("COMMIT")
        listing = try database.prepare("SELECT number, bytes FROM segments ORDER BY number")
        // An earlier build on the same folder adds segments without a turn. They are newer than those of lower numbers.
        choosing = try database.prepare(
            """
            SELECT number, bytes FROM segments LEFT JOIN uses ON segment=number
            ORDER BY coalesce(turn, (SELECT max(turn) FROM uses WHERE segment<number), 0), number LIMIT 1
            """)
        // Another process may have removed the segment. A turn of its own would stay for ever.
        touching = try database.prepare(
            """
            INSERT OR REPLACE INTO uses
            SELECT number, (SELECT coalesce(max(turn), 0)+1 FROM uses) FROM segments WHERE number=?
            """)
        forgetting = try database.prepare("DELETE FROM uses WHERE segment=?")
    }

    /// Makes sure that an index that cannot be changed has the tables of this version.
    private static func check(_ database: SQLiteDatabase) throws(StoreError) {
        let present = try database.number("PRAGMA user_version") ?? 0
        guard present != version else { return }
        // The process that made the file was ended before it made the tables.
        guard present != 0 else { throw .readOnly }
        throw .laterVersion(Int(present))
    }

    private static func prepare(_ database: SQLiteDatabase, numbersAfter lastNumber: Int64) throws(StoreError) {
        // Two processes may open a new store at once. Inside the transaction, only one of them finds no tables and
        // makes them.
        guard try database.number("PRAGMA user_version") != version else { return try prepareUses(database) }
        try database.transaction { () throws(StoreError) in
            let present = try database.number("PRAGMA user_version") ?? 0
            guard present != version else { return }
            guard present == 0 else { throw .laterVersion(Int(present)) }
            try database.execute(
                """
                CREATE TABLE entries(
                    id INTEGER PRIMARY KEY, place INTEGER NOT NULL, length INTEGER NOT NULL, state INTEGER NOT NULL);
                CREATE TABLE segments(number INTEGER PRIMARY KEY AUTOINCREMENT, bytes INTEGER NOT NULL);
                INSERT INTO sqlite_sequence VALUES('segments', \(lastNumber));
                PRAGMA user_version=\(version)
                """)
        }
        try prepareUses(database)
    }

    /// Makes the table of the order in which segments were read, which a store of an earlier build lacks. That build passes
    /// over the table.
    private static func prepareUses(_ database: SQLiteDatabase) throws(StoreError) {
        try database.execute(
            "CREATE TABLE IF NOT EXISTS uses(segment INTEGER PRIMARY KEY, turn INTEGER NOT NULL)")
    }

    /// Makes sure that the index is still the one at its path.
    func checkPlace() throws(StoreError) {
        if database.hasMoved { throw .unusable(path: path, code: ENOENT) }
    }

    func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try database.transaction(body)
    }

    /// Begins a read transaction. Until `endReading`, look-ups see the index as it was at the first of them, and SQLite
    /// takes its locks only once.
    func beginReading() throws(StoreError) { try beginning.run() }

    func endReading() throws(StoreError) { try ending.run() }

    // MARK: Entries

    func entry(_ key: StoreKey) throws(StoreError) -> Entry? {
        defer { finding.end() }
        try finding.start(key.row)
        guard try finding.next() else { return nil }
        return Entry(place: finding[0], length: finding[1], state: finding[2])
    }

    /// Adds an entry, unless the key has one.
    ///
    /// - Returns: whether the entry has been added.
    @discardableResult
    func insert(_ entry: Entry, for key: StoreKey) throws(StoreError) -> Bool {
        try inserting.run(key.row, entry.place, Int64(entry.length), entry.state)
        return database.changeCount > 0
    }

    /// Removes the entry of a key, unless the key has got another entry in the meantime.
    func remove(_ entry: Entry, of key: StoreKey) throws(StoreError) {
        try deleting.run(key.row, entry.place)
    }

    /// Removes the entry in a row of the table, unless the row has got another entry in the meantime.
    ///
    /// - Returns: whether the entry was there.
    @discardableResult
    func remove(row: Int64, place: Int64) throws(StoreError) -> Bool {
        try deleting.run(row, place)
        return database.changeCount > 0
    }

    /// Notes that the value in a row of the table has been read.
    func markUsed(row: Int64) throws(StoreError) {
        try marking.run(row)
    }

    // MARK: Segments

    /// Adds a segment. Its number is greater than the numbers of all earlier segments.
    func addSegment() throws(StoreError) -> Int64 {
        try adding.run()
        guard let number = try database.number("SELECT last_insert_rowid()") else {
            throw .damagedIndex(code: 0)
        }
        return try Segment(number, byteCount: 0).number
    }

    func setByteCount(_ byteCount: Int, ofSegment number: Int64) throws(StoreError) {
        try growing.run(number, Int64(byteCount))
    }

    func removeSegment(_ number: Int64) throws(StoreError) {
        try dropping.run(number)
        try forgetting.run(number)
    }

    /// Notes that a segment has just been read, or written to. Nothing is noted of a segment that the index does not have.
    func touchSegment(_ number: Int64) throws(StoreError) { try touching.run(number) }

    /// The segment that was read or written to before all others; nil if there is none.
    func coldestSegment() throws(StoreError) -> Segment? {
        defer { choosing.end() }
        try choosing.start()
        guard try choosing.next() else { return nil }
        return try Segment(choosing[0], byteCount: choosing[1])
    }

    /// All segments, the oldest first. Their numbers are different.
    func segments() throws(StoreError) -> [Segment] {
        var segments: [Segment] = []
        defer { listing.end() }
        try listing.start()
        while try listing.next() {
            let segment = try Segment(listing[0], byteCount: listing[1])
            // SQLite relies on the order of the rows in its file, where a flipped bit can repeat a number.
            if let last = segments.last, last.number >= segment.number { throw .damagedIndex(code: 0) }
            segments.append(segment)
        }
        return segments
    }

    // MARK: Figures

    /// The bytes of the index's file and of its write-ahead log.
    func byteCount() throws(StoreError) -> Int { try databaseByteCount() + logByteCount }

    /// The bytes of the index's file, once the transaction that is under way is part of it.
    func databaseByteCount() throws(StoreError) -> Int {
        let pages = try database.number("PRAGMA page_count") ?? 0
        return Int(pages * (try database.number("PRAGMA page_size") ?? 0))
    }

    /// The bytes that an entry takes in the index's file, on average.
    static let entryByteCount = 48

    /// The bytes that the log takes most of the time.
    var usualLogByteCount: Int { logPageCount * Self.pageByteCount }

    /// The most entries that one transaction changes. Each may lie on a page of its own, which the transaction appends to
    /// the log.
    var transactionEntryLimit: Int { logPageCount }

    /// Whether one transaction may change so many entries: no more than `transactionEntryLimit`, or as many as there are where
    /// all pages of the index together do not make the log longer.
    func mayChange(entryCount: Int) throws(StoreError) -> Bool {
        if entryCount <= transactionEntryLimit { return true }
        return try databaseByteCount() <= usualLogByteCount
    }

    /// The bytes of the write-ahead log. While several processes write at once, the log can grow, because SQLite resets it
    /// only when no process is reading it.
    var logByteCount: Int {
        var status = stat()
        return stat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
    }

    /// The bytes of a page, as SQLite chooses them.
    private static let pageByteCount = 4_096
    /// How long shortening the log waits for readers and writers, in milliseconds. A read transaction of this library ends
    /// sooner.
    private static let shorteningTimeout = 200

    /// Empties SQLite's log, if it has become much longer than the length at which SQLite copies it into the database.
    ///
    /// SQLite itself empties the log only at the start of a transaction that finds all of it copied and nobody reading it.
    /// Two processes that write in turn, or threads that read without a pause, never leave it such a moment, and the log
    /// grows without end. Here the log's end is waited for. Where a process does not let go, for instance because it is
    /// suspended, nobody waits again before the log has doubled.
    func shortenLog() throws(StoreError) {
        let before = logByteCount
        guard before > logByteLimit else { return }
        try emptyLog(waitingAtMost: Self.shorteningTimeout)
        logByteLimit = logByteCount < before ? 2 * usualLogByteCount : 2 * before
    }

    /// Whether the log has room for notes that can wait. Threads that read would otherwise make the log longer and longer by the
    /// notes of their reads.
    ///
    /// - Parameter isUrgent: whether a long log may be waited for, as `shortenLog` does. Otherwise it is emptied only if nobody
    ///   has to be waited for.
    func hasLogRoom(isUrgent: Bool = false) -> Bool {
        let limit = 2 * usualLogByteCount
        if isUrgent { try? shortenLog() }
        if logByteCount > limit { try? emptyLog(waitingAtMost: 0) }
        return logByteCount <= limit
    }

    private func emptyLog(waitingAtMost milliseconds: Int) throws(StoreError) {
        try database.waitingAtMost(milliseconds: milliseconds) { () throws(StoreError) in
            try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    /// The number of entries, and the bytes of their values. Takes time in proportion to the number of entries.
    func totals() throws(StoreError) -> (entryCount: Int, valueByteCount: Int, negativeCount: Int) {
        let totals = try database.prepare(
            "SELECT count(*), coalesce(sum(length), 0), coalesce(sum(state&2)/2, 0) FROM entries")
        guard try totals.next() else { return (0, 0, 0) }
        defer { totals.end() }
        return (Int(totals[0]), Int(totals[1]), Int(totals[2]))
    }

    /// Gives the free pages of the index back to the file system.
    func compact() throws(StoreError) {
        try database.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Removes all entries and segments.
    func removeAll() throws(StoreError) {
        try database.execute("DELETE FROM entries; DELETE FROM segments; DELETE FROM uses")
    }
}
