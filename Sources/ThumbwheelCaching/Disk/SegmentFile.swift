#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An open segment file. Values are stored one after another, each after a record that describes it. Bytes are only
/// ever appended, so a value can be read while another process writes.
final class SegmentFile: Sendable {
    let number: Int64
    /// Whether values can be appended.
    let isWritable: Bool
    private let path: String
    private let descriptor: Int32
    private let access: StoreFileAccess

    /// How a file is opened.
    enum Mode: Equatable {
        case reading
        case appending
        /// The file is created; it must not exist yet.
        case creating
    }

    /// Opens a file.
    ///
    /// - Throws: `StoreError.unusable` with `ENOENT` if there is no such file, and with another code if it cannot be opened at the
    ///   moment, for instance because the process has too many open files.
    init(_ number: Int64, path: String, for mode: Mode, access: StoreFileAccess) throws(StoreError) {
        let flags: Int32
        switch mode {
        case .reading: flags = O_RDONLY
        case .appending: flags = O_RDWR
        case .creating: flags = O_RDWR | O_CREAT | O_EXCL
        }
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unusable(path: path, code: errno) }
        (self.number, self.path, self.descriptor, self.access) = (number, path, descriptor, access)
        isWritable = mode != .reading
    }

    deinit {
        // A process that another thread starts may hold a copy of the descriptor for a moment, and with it the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Locks the file for appending until it is closed; returns false if another process has locked it.
    func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// The length of the file in bytes.
    func byteCount() throws(StoreError) -> Int {
        try status().byteCount
    }

    /// Whether the file has been deleted since it was opened.
    var isDeleted: Bool { (try? status().linkCount) ?? 0 == 0 }

    private func status() throws(StoreError) -> (byteCount: Int, linkCount: Int) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unusable(path: path, code: errno) }
        return (Int(status.st_size), Int(status.st_nlink))
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(StoreError) {
        let code = bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let count = access.write(descriptor, UnsafeRawBufferPointer(rebasing: buffer[done...]), offset + done)
                if count < 0, errno == EINTR { continue }
                // If a call writes nothing and reports no error, the write fails; otherwise the loop would never end.
                guard count > 0 else { return count < 0 ? errno : EIO }
                done += count
            }
            return 0
        }
        guard code == 0 else { throw .unusable(path: path, code: code) }
    }

    /// Gives up the bytes from an offset on, which belong to no value.
    func giveUp(from offset: Int) {
        guard let byteCount = try? byteCount(), byteCount > offset else { return }
        _ = ftruncate(descriptor, off_t(offset))
    }

    /// The record at an offset; nil if the bytes there are no record, or cannot be read.
    func record(at offset: Int) throws(StoreError) -> SegmentRecord? {
        let (record, code) = withUnsafeTemporaryAllocation(byteCount: SegmentRecord.byteCount, alignment: 8) { buffer in
            let code = read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            return (code == 0 ? SegmentRecord(UnsafeRawBufferPointer(buffer)) : nil, code)
        }
        guard code <= 0 else { throw .unusable(path: path, code: code) }
        return record
    }

    /// The value at an offset; nil if the bytes there are damaged, or are not a value with this key and length.
    func value(of key: StoreKey, length: Int, at offset: Int) throws(StoreError) -> StoredValue? {
        // One call reads the record and the value. The value is then moved to the start of the array, over the record.
        var record: SegmentRecord?
        var code: Int32 = 0
        let headCount = SegmentRecord.byteCount
        guard length >= 0, length <= SegmentRecord.lengthLimit else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: headCount + length) { buffer, count in
            let buffer = UnsafeMutableRawBufferPointer(
                rebasing: UnsafeMutableRawBufferPointer(buffer)[..<(headCount + length)])
            code = read(into: buffer, at: offset)
            guard code == 0 else { return }
            record = SegmentRecord(UnsafeRawBufferPointer(buffer))
            memmove(buffer.baseAddress!, buffer.baseAddress! + headCount, length)
            count = length
        }
        guard code <= 0 else { throw .unusable(path: path, code: code) }
        guard let record, record.key == key, record.length == length else { return nil }
        return record.value(bytes)
    }

    /// The value of the record at an offset; nil if its bytes are damaged.
    func value(of record: SegmentRecord, at offset: Int) throws(StoreError) -> StoredValue? {
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: record.length) { buffer, count in
            code = read(into: UnsafeMutableRawBufferPointer(buffer), at: offset + SegmentRecord.byteCount)
            count = code == 0 ? record.length : 0
        }
        guard code <= 0 else { throw .unusable(path: path, code: code) }
        return code == 0 ? record.value(bytes) : nil
    }

    /// Fills a buffer with bytes of the file.
    ///
    /// - Returns: 0, the system's error number, or -1 if the file ends before the buffer is full or has a sector
    ///   there that cannot be read.
    private func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int32 {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = access.read(descriptor, rest, offset + done)
            if count < 0, errno == EINTR { continue }
            // A sector that cannot be read is damage of the values in it. If it counted as a failure of the disk, the
            // store would rest whenever somebody asks for one of them.
            if count < 0, errno == EIO { return -1 }
            guard count >= 0 else { return errno }
            guard count > 0 else { return -1 }
            done += count
        }
        return 0
    }
}
