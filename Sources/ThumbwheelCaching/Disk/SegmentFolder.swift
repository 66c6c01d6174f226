import ThumbwheelCore
import ThumbwheelLocks

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The segment files of a store, and those of them that are open for reading.
final class SegmentFolder: Sendable {
    private let path: String
    private let access: StoreFileAccess
    private let open = Mutex<[Int64: SegmentFile]>([:])
    /// The time at which files that have been deleted were last looked for.
    private let checked = Mutex<MonotonicTime?>(nil)

    /// The largest number of files that are kept open, because the number of descriptors of a process is limited.
    private let openLimit: Int
    private static let checkingTime = Duration.seconds(1)

    /// - Parameter openLimit: the largest number of files that are kept open; nil for a share of what the process may open.
    init(path: String, access: StoreFileAccess, openLimit: Int? = nil) {
        (self.path, self.access) = (path, access)
        self.openLimit = openLimit ?? Self.openLimit(descriptorLimit: Self.descriptorLimit)
    }

    /// The number of files that a store keeps open, of so many that its process may open: a quarter of them. A store of twelve
    /// gigabytes has two hundred files, and opening one takes as long as reading a value.
    static func openLimit(descriptorLimit: Int) -> Int { min(max(128, descriptorLimit / 4), 1_024) }

    private static var descriptorLimit: Int {
        var limit = rlimit()
        #if os(Linux)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        return getrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : 0
    }

    private func path(of number: Int64) -> String { "\(path)/\(number).values" }

    /// The numbers of all files in the folder, in increasing order.
    var numbers: [Int64] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var numbers: [Int64] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".values"), let number = Int64(name.dropLast(7)) { numbers.append(number) }
        }
        return numbers.sorted()
    }

    /// The file of a segment, opened for reading if it is not open yet; nil if there is no such file.
    ///
    /// - Throws: `StoreError` if the file cannot be opened at the moment. Its values are not lost then.
    func file(_ number: Int64) throws(StoreError) -> SegmentFile? {
        if let file = open.withLock({ $0[number] }) { return file }
        do throws(StoreError) {
            let file = try SegmentFile(number, path: path(of: number), for: .reading, access: access)
            keepOpen(file)
            return file
        } catch .unusable(_, ENOENT) {
            return nil
        }
    }

    /// The file of a segment, opened for appending if it is not open for that yet. The file that this process has locked
    /// must be found again, because a second descriptor could not be locked.
    func fileForAppending(_ number: Int64) throws(StoreError) -> SegmentFile {
        if let file = open.withLock({ $0[number] }), file.isWritable { return file }
        let file = try SegmentFile(number, path: path(of: number), for: .appending, access: access)
        keepOpen(file)
        return file
    }

    /// Whether there is a file to which no process appends.
    func isUnlocked(_ number: Int64) -> Bool {
        // A file of its own, which is closed at once, so this process's own lock counts like that of another one.
        let file = try? SegmentFile(number, path: path(of: number), for: .appending, access: access)
        return file?.lock() ?? false
    }

    private func keepOpen(_ file: SegmentFile) {
        // The file that makes way is closed after the lock is released.
        let closed = open.withLock { open -> SegmentFile? in
            defer { open[file.number] = file }
            guard open.count >= openLimit, let oldest = open.keys.min() else { return nil }
            return open.removeValue(forKey: oldest)
        }
        _ = closed
    }

    /// Creates the file of a new segment.
    func make(_ number: Int64) throws(StoreError) -> SegmentFile {
        let file = try SegmentFile(number, path: path(of: number), for: .creating, access: access)
        keepOpen(file)
        return file
    }

    /// The length of the file of a segment; 0 if there is none.
    func byteCount(of number: Int64) -> Int {
        var status = stat()
        return stat(path(of: number), &status) == 0 ? Int(status.st_size) : 0
    }

    /// Makes the file of a removed segment that of a new one.
    ///
    /// - Returns: the file, which has the bytes of the old one; nil if somebody has deleted it, or if it cannot be opened.
    func rename(_ old: Int64, to number: Int64) -> SegmentFile? {
        _ = open.withLock { $0.removeValue(forKey: old) }
        guard Self.rename(path(of: old), path(of: number)) else { return nil }
        guard let file = try? SegmentFile(number, path: path(of: number), for: .appending, access: access) else {
            delete(number)
            return nil
        }
        keepOpen(file)
        return file
    }

    private static func rename(_ old: String, _ new: String) -> Bool {
        #if canImport(Glibc)
        Glibc.rename(old, new) == 0
        #elseif canImport(Musl)
        Musl.rename(old, new) == 0
        #else
        Darwin.rename(old, new) == 0
        #endif
    }

    /// Deletes the file of a segment. Threads that are reading the file can finish.
    func delete(_ number: Int64) {
        _ = open.withLock { $0.removeValue(forKey: number) }
        unlink(path(of: number))
    }

    /// Closes all files. After a transaction has been rolled back, another process may make files with the numbers that it
    /// had given, and these must not be taken for the files that it has opened.
    func closeAll() {
        // The files are closed after the lock is released.
        let closed = open.withLock { open in
            defer { open = [:] }
            return open
        }
        _ = closed
    }

    /// Closes the files that another process has deleted, unless that has been done within the last second. The disk
    /// space of a deleted file becomes free only after it is closed.
    func closeDeleted(at now: MonotonicTime) {
        let isDue = checked.withLock { checked in
            guard checked.map({ now >= $0.advanced(by: Self.checkingTime) }) ?? true else { return false }
            checked = now
            return true
        }
        if isDue { close(files.filter(\.isDeleted)) }
    }

    /// Closes all files to which this process does not write.
    func closeUnwritten() { close(files.filter { !$0.isWritable || $0.isDeleted }) }

    /// Closes a file. Threads that are reading it can finish.
    func close(_ file: SegmentFile) { close([file]) }

    private var files: [SegmentFile] { open.withLock { Array($0.values) } }

    private func close(_ files: [SegmentFile]) {
        // The caller holds the files, so they are closed after the lock is released.
        guard !files.isEmpty else { return }
        open.withLock { open in
            for file in files where open[file.number] === file { open.removeValue(forKey: file.number) }
        }
    }

    /// The numbers of the segments whose files are open, in increasing order.
    var openNumbers: [Int64] { open.withLock { $0.keys.sorted() } }
}
