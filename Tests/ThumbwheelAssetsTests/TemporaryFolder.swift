import Foundation

/// A folder that goes when the test that made it is over.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "thumbwheel-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file, and the folders that lead to it.
    func write(_ name: String, _ bytes: [UInt8]) throws {
        let url = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    /// Writes a file into the folder itself without waiting for the disk, for tests with thousands of files.
    func writeQuickly(_ name: String, _ bytes: [UInt8]) throws {
        guard let file = fopen(path + "/" + name, "w") else { throw CocoaError(.fileWriteUnknown) }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw CocoaError(.fileWriteUnknown) }
    }

    func link(_ name: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: destination)
    }
}
