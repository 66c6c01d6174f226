import CSQLite

/// Values as rows of a SQLite database with a write-ahead log: what a well-kept library does by itself.
final class SQLiteValues {
    private var database: OpaquePointer?
    private var find: OpaquePointer?

    init(path: String) {
        sqlite3_open(path, &database)
        sqlite3_exec(database, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL", nil, nil, nil)
        sqlite3_exec(database, "CREATE TABLE entries(id INTEGER PRIMARY KEY, value BLOB)", nil, nil, nil)
        sqlite3_prepare_v2(database, "SELECT value FROM entries WHERE id=?", -1, &find, nil)
    }

    deinit {
        sqlite3_finalize(find)
        sqlite3_close(database)
    }

    func write(_ count: Int, _ value: (Int) -> [UInt8]) {
        var insert: OpaquePointer?
        sqlite3_prepare_v2(database, "INSERT INTO entries VALUES(?, ?)", -1, &insert, nil)
        sqlite3_exec(database, "BEGIN", nil, nil, nil)
        for number in 0..<count {
            let bytes = value(number)
            sqlite3_bind_int64(insert, 1, Int64(number))
            bytes.withUnsafeBytes { buffer in
                // The bytes live until the statement has run.
                sqlite3_bind_blob(insert, 2, buffer.baseAddress, Int32(buffer.count), nil)
                sqlite3_step(insert)
            }
            sqlite3_reset(insert)
        }
        sqlite3_exec(database, "COMMIT", nil, nil, nil)
        sqlite3_finalize(insert)
    }

    func read(_ number: Int) -> [UInt8] {
        defer { sqlite3_reset(find) }
        sqlite3_bind_int64(find, 1, Int64(number))
        guard sqlite3_step(find) == SQLITE_ROW, let value = sqlite3_column_blob(find, 0) else { return [] }
        let count = Int(sqlite3_column_bytes(find, 0))
        return [UInt8](UnsafeRawBufferPointer(start: value, count: count))
    }
}
