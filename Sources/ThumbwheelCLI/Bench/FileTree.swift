import Foundation

/// A file for each value, in 256 folders: what a program does without a store.
struct FileTree {
    private let folder: String

    init(folder: String) {
        self.folder = folder
        for part in 0..<256 {
            try? FileManager.default.createDirectory(atPath: "\(folder)/\(part)", withIntermediateDirectories: true)
        }
    }

    private func path(_ number: Int) -> String { "\(folder)/\(number % 256)/\(number)" }

    func write(_ bytes: [UInt8], _ number: Int) {
        let descriptor = open(path(number), O_WRONLY | O_CREAT, 0o644)
        defer { close(descriptor) }
        precondition(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count, "a file that cannot be written")
    }

    func read(_ number: Int) -> [UInt8] {
        let descriptor = open(path(number), O_RDONLY)
        defer { close(descriptor) }
        return [UInt8](unsafeUninitializedCapacity: 12 << 10) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress!, buffer.count, 0))
        }
    }
}
