import CSQLite

/// A prepared statement of SQLite. All its parameters and columns are integers.
final class SQLiteStatement {
    private let statement: OpaquePointer
    // Keeps the connection open for as long as the statement exists.
    private let database: SQLiteDatabase

    init(_ statement: OpaquePointer, of database: SQLiteDatabase) {
        (self.statement, self.database) = (statement, database)
    }

    deinit {
        sqlite3_finalize(statement)
    }

    /// Starts the statement with new parameters. `next()` then reads its rows.
    func start(_ parameters: Int64...) throws(StoreError) { try start(parameters) }

    func start(_ parameters: [Int64]) throws(StoreError) {
        sqlite3_reset(statement)
        for (index, parameter) in parameters.enumerated() {
            try SQLiteDatabase.check(sqlite3_bind_int64(statement, Int32(index + 1), parameter))
        }
    }

    /// Moves on to the next row; returns false if there is none.
    func next() throws(StoreError) -> Bool {
        let result = sqlite3_step(statement)
        if result == SQLITE_ROW { return true }
        // A statement that is not reset keeps its transaction open.
        sqlite3_reset(statement)
        try SQLiteDatabase.check(result)
        return false
    }

    /// Ends the statement early, before its last row has been read.
    func end() {
        sqlite3_reset(statement)
    }

    /// Runs a statement that returns no rows.
    func run(_ parameters: Int64...) throws(StoreError) {
        try start(parameters)
        _ = try next()
    }

    /// The value of a column in the current row.
    subscript(column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
}
