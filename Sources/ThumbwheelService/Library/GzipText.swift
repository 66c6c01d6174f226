import CISAL

/// Gzip (RFC 1952), by igzip.
enum GzipText {
    /// Returns the bytes compressed; nil if that makes them no shorter.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        guard !bytes.isEmpty, bytes.count < Int(UInt32.max) else { return nil }
        var tables = [UInt8](repeating: 0, count: Int(tw_isal_gzip_tables_size()))
        let result = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
            count = Int(
                tw_isal_gzip(
                    bytes, UInt32(bytes.count), buffer.baseAddress, UInt32(bytes.count), &tables, UInt32(tables.count)))
        }
        return result.isEmpty ? nil : result
    }
}
