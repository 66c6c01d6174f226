import CSQLite

/// A connection to a SQLite database. One thread uses it at a time.
///
/// The class is unchecked `Sendable`: the connection is opened without SQLite's own mutex, so two threads must never
/// use it at once. Its owners guard it by their locks.
final class SQLiteDatabase: @unchecked Sendable {
    private let connection: OpaquePointer

    /// How long a statement waits for the transaction of another connection, in milliseconds.
    private static let busyTimeout: Int32 = 5_000

    private static let hasForgoneStatistics: Void = tw_sqlite_forgo_statistics()

    /// Opens a database, or makes it if it does not exist.
    init(path: String) throws(StoreError) {
        _ = Self.hasForgoneStatistics
        var connection: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let result = sqlite3_open_v2(path, &connection, flags, nil)
        guard result == SQLITE_OK, let connection else {
            sqlite3_close_v2(connection)
            throw .unusable(path: path, code: result)
        }
        self.connection = connection
        sqlite3_busy_timeout(connection, Self.busyTimeout)
    }

    deinit {
        sqlite3_close_v2(connection)
    }

    /// Runs `body` with another time that statements wait for the transactions of other connections.
    func waitingAtMost(milliseconds: Int, _ body: () throws(StoreError) -> Void) throws(StoreError) {
        sqlite3_busy_timeout(connection, Int32(milliseconds))
        defer { sqlite3_busy_timeout(connection, Self.busyTimeout) }
        try body()
    }

    /// Runs statements that return no rows.
    func execute(_ statements: String) throws(StoreError) {
        try Self.check(sqlite3_exec(connection, statements, nil, nil, nil))
    }

    func prepare(_ statement: String) throws(StoreError) -> SQLiteStatement {
        var prepared: OpaquePointer?
        try Self.check(sqlite3_prepare_v3(connection, statement, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
        guard let prepared else { preconditionFailure("an empty statement: \(statement)") }
        return SQLiteStatement(prepared, of: self)
    }

    /// The number in the first column of a statement's first row; nil if there is no row.
    func number(_ statement: String) throws(StoreError) -> Int64? {
        let statement = try prepare(statement)
        return try statement.next() ? statement[0] : nil
    }

    /// Runs `body` in a transaction that may write. If `body` throws, the transaction is rolled back.
    func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // The rollback fails if SQLite has rolled back by itself, for instance because the disk is full.
            try? execute("ROLLBACK")
            throw error
        }
    }

    static func check(_ result: Int32) throws(StoreError) {
        switch result & 0xFF {
        case SQLITE_OK, SQLITE_ROW, SQLITE_DONE: return
        case SQLITE_BUSY, SQLITE_LOCKED: throw .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_SCHEMA:
            throw .damagedIndex(code: result)
        default: throw .unusable(path: "the index", code: result)
        }
    }
}
