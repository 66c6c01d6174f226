import Foundation
import ThumbwheelReplay

/// A folder for the scrolls that pages record. What is stored there has been read as a trace, so `replay --trace` plays it.
struct TraceFolder: Sendable {
    private let path: String

    init(path: String) throws(CommandError) {
        self.path = path
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandError("--traces \(path): the folder cannot be made")
        }
    }

    /// Stores a trace; drops what is none.
    func store(_ bytes: [UInt8]) {
        let data = Data(bytes)
        guard (try? ScrollTrace(jsonLines: data)) != nil else { return }
        let time = Date().ISO8601Format().replacing(":", with: "")
        let name = "scroll-\(time)-\(UInt16.random(in: .min ... .max)).jsonl"
        try? data.write(to: URL(filePath: path).appending(path: name), options: .atomic)
    }
}
