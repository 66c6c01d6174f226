import Foundation

/// A folder of a test's own, which goes when the test is over.
package final class ScratchFolder: Sendable {
    package let path: String

    package init() throws {
        path = NSTemporaryDirectory() + "thumbwheel-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file and makes the folders that lead to it.
    ///
    /// - Returns: its path.
    @discardableResult
    package func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let url = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path()
    }
}
