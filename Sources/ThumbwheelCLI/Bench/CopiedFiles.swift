import Foundation

/// A folder of files that begin like some photographs, each with an end and a node of its own, which goes with its owner.
final class CopiedFiles {
    let path: String
    /// The number of times that the files have been renamed.
    private var generation = 0
    private let names: [String]

    /// The number of bytes that are copied of each photograph: more than the head of most.
    private static let copiedByteCount = 64 << 10

    /// - Parameter count: the number of files; the photographs are copied in turn.
    init(_ files: [String], count: Int) throws {
        path = NSTemporaryDirectory() + "thumbwheel-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        var heads: [(name: String, bytes: Data)] = []
        for file in files {
            let handle = try FileHandle(forReadingFrom: URL(filePath: file))
            let bytes = try handle.read(upToCount: Self.copiedByteCount) ?? Data()
            heads.append((URL(filePath: file).lastPathComponent, bytes))
            try handle.close()
        }
        names = heads.isEmpty ? [] : (0..<count).map { "\($0)-\(heads[$0 % heads.count].name)" }
        for (number, name) in names.enumerated() {
            let end = withUnsafeBytes(of: UInt64(number)) { Data($0) }
            try (heads[number % heads.count].bytes + end).write(to: URL(filePath: "\(path)/0-\(name)"))
        }
    }

    /// Gives each file another name.
    func rename() throws {
        for name in names {
            try FileManager.default.moveItem(
                atPath: "\(path)/\(generation)-\(name)", toPath: "\(path)/\(generation + 1)-\(name)")
        }
        generation += 1
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
