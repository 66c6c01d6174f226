import Foundation

/// A connection to a server on this machine, which sends requests and reads their answers to their ends.
final class BenchConnection {
    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw BenchError("the server takes no connection") }
    }

    deinit { close(descriptor) }

    func send(_ target: String) throws {
        let request = "GET \(target) HTTP/1.1\r\nhost: localhost\r\n\r\n"
        let count = request.utf8.count
        guard request.withCString({ write(descriptor, $0, count) }) == count else {
            throw BenchError("the server takes no request")
        }
    }

    /// Reads one answer, which must be a 200 with a length.
    func receive() throws {
        var count = 0
        var end: Int?
        while end == nil || count < end! {
            let received = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + count, $0.count - count) }
            guard received > 0 else { throw BenchError("the server has closed a connection") }
            count += received
            if end == nil { end = try Self.end(of: buffer[..<count]) }
        }
    }

    /// The number of bytes that an answer has; nil if its header has not come yet.
    private static func end(of bytes: ArraySlice<UInt8>) throws -> Int? {
        guard let last = (3..<max(3, bytes.count)).first(where: { bytes[$0] == 10 && bytes[$0 - 2] == 10 }) else {
            return nil
        }
        let head = String(decoding: bytes[...last], as: UTF8.self)
        let lines = head.split(separator: "\r\n")
        let length = lines.first { $0.lowercased().hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) }
        guard let length, lines[0].hasPrefix("HTTP/1.1 200") else {
            throw BenchError("the server answers '\(lines[0])'")
        }
        return last + 1 + length
    }
}
