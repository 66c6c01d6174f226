#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Whole files in and out, with nothing more than the C library.
enum FixtureFiles {
    /// The file's bytes, or nil if there is none.
    static func read(_ path: String) throws(FixtureError) -> [UInt8]? {
        guard let file = fopen(path, "rb") else {
            if errno == ENOENT { return nil }
            throw failure(path)
        }
        defer { fclose(file) }
        guard fseek(file, 0, SEEK_END) == 0 else { throw failure(path) }
        let size = ftell(file)
        rewind(file)
        let bytes = [UInt8](unsafeUninitializedCapacity: max(size, 0)) { buffer, count in
            count = fread(buffer.baseAddress, 1, buffer.count, file)
        }
        guard bytes.count == size else { throw failure(path) }
        return bytes
    }

    static func text(_ path: String) throws(FixtureError) -> String? {
        guard let bytes = try read(path) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes beside the file and renames, so that a run that is stopped leaves no half file behind.
    static func write(_ bytes: [UInt8], to path: String) throws(FixtureError) {
        let temporary = path + ".writing"
        guard let file = fopen(temporary, "wb") else { throw failure(temporary) }
        let written = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, written == bytes.count, rename(temporary, path) == 0 else { throw failure(path) }
    }

    /// Makes a directory, and those above it, if they are missing.
    static func makeDirectory(_ path: String) throws(FixtureError) {
        guard !path.isEmpty, mkdir(path, 0o777) != 0, errno != EEXIST else { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw failure(path)
        }
        try makeDirectory(String(path[..<slash]))
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw failure(path) }
    }

    /// The names in a directory, sorted.
    static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func failure(_ path: String) -> FixtureError { .file(path, String(cString: strerror(errno))) }
}
