import CSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A connection to a SQLite database. One thread uses it at a time.
///
/// The class is unchecked `Sendable`: the connection is opened without SQLite's own mutex, so two threads must never
/// use it at once. Its owners guard it by their locks.
final class SQLiteDatabase: @unchecked Sendable {
    private let connection: OpaquePointer

    /// How long a statement waits for the transaction of another connection, in milliseconds.
    private static let busyTimeout: Int32 = 5_000

    private static let hasForgoneStatistics: Void = tw_sqlite_forgo_statistics()

    /// What may be done with a database.
    enum Access {
        /// It is read and written, and made if it does not exist.
        case writing
        /// It is read. If no other connection has it open, SQLite has to make files beside it even for that.
        case reading
        /// It is read, and nobody writes to it as long as it is open, so SQLite takes no locks and makes no files. SQLite then
        /// does not look at the write-ahead log.
        case readingOnly
    }

    /// Opens a database.
    init(path: String, for access: Access = .writing) throws(StoreError) {
        _ = Self.hasForgoneStatistics
        // SQLite would let everybody read a new file. Those that it makes beside it get the permissions of the file. It must not
        // be opened here: closing it would end the locks that other connections have.
        if access == .writing { mknod(path, S_IFREG | 0o600, 0) }
        var connection: OpaquePointer?
        let flags =
            access == .writing ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        let name = access == .readingOnly ? Self.address(of: path) + "?immutable=1" : path
        let result = sqlite3_open_v2(name, &connection, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard result == SQLITE_OK, let connection else {
            sqlite3_close_v2(connection)
            throw .unusable(path: path, code: result)
        }
        self.connection = connection
        sqlite3_busy_timeout(connection, Self.busyTimeout)
    }

    /// The address of a file as SQLite reads it, in which some characters of paths have another meaning.
    private static func address(of path: String) -> String {
        "file:" + path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
    }

    deinit {
        sqlite3_close_v2(connection)
    }

    /// Whether the path of the database no longer leads to the file that this connection has open, because somebody has
    /// deleted or replaced the file. SQLite would go on to write to the deleted file without an error.
    var hasMoved: Bool {
        var hasMoved: Int32 = 0
        return sqlite3_file_control(connection, nil, SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK && hasMoved != 0
    }

    /// The number of rows that the last statement has changed.
    var changeCount: Int { Int(sqlite3_changes(connection)) }

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
        case SQLITE_READONLY: throw .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED: throw .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_SCHEMA:
            throw .damagedIndex(code: result)
        default: throw .unusable(path: "the index", code: result)
        }
    }
}
