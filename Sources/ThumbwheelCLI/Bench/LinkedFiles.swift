import Foundation

/// A folder of links to some files, which goes with its owner. An import takes each link for a file of its own.
final class LinkedFiles {
    let path: String

    /// - Parameter count: the number of links; the files are linked to in turn.
    init(_ files: [String], count: Int) throws {
        path = NSTemporaryDirectory() + "thumbwheel-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for number in 0..<(files.isEmpty ? 0 : count) {
            let file = URL(filePath: files[number % files.count])
            try FileManager.default.createSymbolicLink(
                atPath: "\(path)/\(number)-\(file.lastPathComponent)", withDestinationPath: file.path)
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
