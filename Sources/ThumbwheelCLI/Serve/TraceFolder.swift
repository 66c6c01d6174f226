import Foundation
import ThumbwheelLocks
import ThumbwheelReplay

/// A folder for the scrolls that pages record. What is stored there has been read as a trace, so `replay --trace` plays it.
final class TraceFolder: Sendable {
    /// The bytes that traces may take together; the oldest go first.
    static let byteLimit = 256 << 20
    /// How many traces may wait to be written; more are dropped.
    private static let waitingLimit = 8

    private let path: String
    private let byteLimit: Int
    private let queue = DispatchQueue(label: "thumbwheel.traces")
    private let waiting = Mutex(0)

    init(path: String, byteLimit: Int = TraceFolder.byteLimit) throws(CommandError) {
        (self.path, self.byteLimit) = (path, byteLimit)
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandError("--traces \(path): the folder cannot be made")
        }
    }

    /// Stores a trace soon; drops what is none.
    @Sendable func store(_ bytes: [UInt8]) {
        let mayWait = waiting.withLock { waiting in
            guard waiting < Self.waitingLimit else { return false }
            waiting += 1
            return true
        }
        guard mayWait else { return }
        queue.async { [self] in
            write(Data(bytes))
            waiting.withLock { $0 -= 1 }
        }
    }

    /// Returns once all that wait are written.
    func flush() { queue.sync {} }

    private func write(_ data: Data) {
        guard data.count <= byteLimit, (try? ScrollTrace(jsonLines: data)) != nil else { return }
        makeRoom(for: data.count)
        let time = Date().ISO8601Format().replacing(":", with: "")
        let name = "scroll-\(time)-\(UInt16.random(in: .min ... .max)).jsonl"
        try? data.write(to: URL(filePath: path).appending(path: name), options: .atomic)
    }

    /// Deletes the oldest traces until one of `byteCount` bytes has room. Names begin with the time; other files are left alone.
    private func makeRoom(for byteCount: Int) {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
            .filter { $0.hasPrefix("scroll-") && $0.hasSuffix(".jsonl") }.sorted()
        let files = names.map { name in
            let file = path + "/" + name
            return (file, (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0)
        }
        var total = files.reduce(byteCount) { $0 + $1.1 }
        for (file, size) in files where total > byteLimit {
            try? FileManager.default.removeItem(atPath: file)
            total -= size
        }
    }
}
