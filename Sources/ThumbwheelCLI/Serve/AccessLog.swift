import Foundation
import ThumbwheelLocks
import ThumbwheelServer
import ThumbwheelService

/// The access log: an object of JSON for each request, written in batches so that no request waits for the disk.
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

    private let file: FileHandle
    private let queue = DispatchQueue(label: "thumbwheel.log")
    private let waiting = Mutex<[AccessRecord]>([])

    init(_ output: OutputFile) throws(CommandError) {
        file = try output.handleForAppending()
    }

    /// Takes a record; it is written soon.
    func write(_ record: AccessRecord) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(record)
            return waiting.count == 1
        }
        if isFirst { queue.asyncAfter(deadline: .now() + .milliseconds(200)) { [self] in writeWaiting() } }
    }

    /// Writes what waits, and returns when it is written.
    func flush() { queue.sync { writeWaiting() } }

    private func writeWaiting() {
        let records = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let time = Date().ISO8601Format()
        var data = Data()
        for record in records {
            let line = Line(
                time: time, method: record.method, target: record.target, status: record.status,
                bytes: record.byteCount, milliseconds: Self.rounded(record.milliseconds), complete: record.isComplete,
                route: record.notes.route.rawValue, tenant: record.notes.tenant, origin: record.notes.origin?.rawValue,
                queueMilliseconds: Self.rounded(record.notes.queueMilliseconds),
                renderMilliseconds: Self.rounded(record.notes.renderMilliseconds), abandoned: record.notes.isAbandoned)
            data += (try? encoder.encode(line)) ?? Data()
            data.append(0x0A)
        }
        try? file.write(contentsOf: data)
    }

    private static func rounded(_ milliseconds: Double) -> Double { (milliseconds * 100).rounded() / 100 }
}
