import Foundation
import ThumbwheelLocks
import ThumbwheelServer
import ThumbwheelService

/// The access log: an object of JSON for each request, written in batches so that no request waits for the disk. While the output blocks,
/// so many records wait, and those that come then are counted instead of written.
final class AccessLog: Sendable {
    private struct Line: Encodable {
        var time: String
        var method: String
        var target: String
        var status: Int
        var bytes: Int
        var milliseconds: Double
        var complete: Bool
        var route: String
        var tenant: String?
        var origin: String?
        var queueMilliseconds: Double
        var renderMilliseconds: Double
        var abandoned: Bool
    }

    private struct Gap: Encodable {
        var time: String
        var dropped: Int
    }

    private struct Waiting {
        var records: [AccessRecord] = []
        var dropped = 0
    }

    private let output: OutputFile
    private let limit: Int
    private let file: Mutex<FileHandle>
    private let queue = DispatchQueue(label: "thumbwheel.log")
    private let waiting = Mutex(Waiting())

    /// - Parameter limit: How many records may wait.
    init(_ output: OutputFile, limit: Int = 1 << 16) throws(CommandError) {
        (self.output, self.limit) = (output, limit)
        file = Mutex(try output.handleForAppending())
    }

    /// Takes a record; it is written soon.
    func write(_ record: AccessRecord) {
        let isFirst = waiting.withLock { waiting in
            guard waiting.records.count < limit else {
                waiting.dropped += 1
                return false
            }
            waiting.records.append(record)
            return waiting.records.count == 1
        }
        if isFirst { queue.asyncAfter(deadline: .now() + .milliseconds(200)) { [self] in writeWaiting() } }
    }

    /// Opens the file anew, after what waits has been written to the one that was moved away. A file that cannot be opened leaves all as
    /// it is.
    func reopen() {
        queue.async { [self] in
            writeWaiting()
            do throws(CommandError) {
                let new = try output.handleForAppending()
                file.withLock { $0 = new }
            } catch {
                report(error.message)
            }
        }
    }

    /// Writes what waits, and returns when it is written.
    func flush() { queue.sync { writeWaiting() } }

    private func writeWaiting() {
        let taken = waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return waiting
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let time = Date().ISO8601Format()
        var data = Data()
        for record in taken.records {
            let line = Line(
                time: time, method: record.method, target: record.target, status: record.status,
                bytes: record.byteCount, milliseconds: Self.rounded(record.milliseconds), complete: record.isComplete,
                route: record.notes.route.rawValue, tenant: record.notes.tenant, origin: record.notes.origin?.rawValue,
                queueMilliseconds: Self.rounded(record.notes.queueMilliseconds),
                renderMilliseconds: Self.rounded(record.notes.renderMilliseconds), abandoned: record.notes.isAbandoned)
            data += (try? encoder.encode(line)) ?? Data()
            data.append(0x0A)
        }
        if taken.dropped > 0 {
            data += (try? encoder.encode(Gap(time: time, dropped: taken.dropped))) ?? Data()
            data.append(0x0A)
        }
        try? file.withLock { $0 }.write(contentsOf: data)
    }

    private static func rounded(_ milliseconds: Double) -> Double { (milliseconds * 100).rounded() / 100 }
}
