import Foundation
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelRedis

/// A server on the loopback interface that reads Redis's commands and answers whatever a test says.
final class ScriptedServer: Sendable {
    let port: Int
    private let listener: Int32
    private let log = Log()

    /// The names of the commands that have come.
    private final class Log: Sendable {
        let names = Mutex<[String]>([])
    }

    /// - Parameter answer: makes the bytes of the answer to a command, of its arguments; empty for none.
    init(answer: @escaping @Sendable ([String]) -> String) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                var length = socklen_t(MemoryLayout<sockaddr_in>.size)
                return bind(listener, pointer, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard isBound else { throw CocoaError(.fileWriteUnknown) }
        port = Int(UInt16(bigEndian: address.sin_port))
        _ = DetachedThread.start(named: "scripted") { [log] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else {
                    // All tests together may have too many open files for a moment, and a client may be gone already.
                    if [EMFILE, ENFILE, ECONNABORTED, EINTR].contains(errno) {
                        sched_yield()
                        continue
                    }
                    return
                }
                _ = DetachedThread.start(named: "scripted") { [log] in
                    Self.serve(connection) { arguments in
                        log.names.withLock { $0.append(arguments[0]) }
                        return answer(arguments)
                    }
                    close(connection)
                }
            }
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    var commands: [String] { log.names.withLock { $0 } }

    var url: RedisURL { RedisURL("redis://127.0.0.1:\(port)")! }

    private static func serve(_ connection: Int32, answer: ([String]) -> String) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            bytes += buffer[..<count]
            while let arguments = takeCommand(&bytes) {
                let text = Array(answer(arguments).utf8)
                _ = send(connection, text, text.count, Int32(MSG_NOSIGNAL))
            }
        }
    }

    /// Takes the first command, if all of it is there.
    private static func takeCommand(_ bytes: inout [UInt8]) -> [String]? {
        var rest = bytes[...]
        func line() -> String? {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\r")), rest.index(after: end) < rest.endIndex else {
                return nil
            }
            defer { rest = rest[(end + 2)...] }
            return String(decoding: rest[..<end], as: UTF8.self)
        }
        guard let head = line(), let count = Int(head.dropFirst()) else { return nil }
        var arguments: [String] = []
        for _ in 0..<count {
            guard let head = line(), let length = Int(head.dropFirst()), rest.count >= length + 2 else { return nil }
            arguments.append(String(decoding: rest.prefix(length), as: UTF8.self))
            rest = rest.dropFirst(length + 2)
        }
        bytes = Array(rest)
        return arguments
    }
}
