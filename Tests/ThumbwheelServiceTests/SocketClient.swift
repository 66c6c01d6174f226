import Glibc

/// A connection of a test, read and written by blocking calls.
final class SocketClient {
    let descriptor: Int32

    struct Refusal: Error {}

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
        if status != 0 { throw Refusal() }
    }

    deinit { close(descriptor) }

    struct Silence: Error {}

    /// Talks to the server over a new connection until it answers. Where the server ends connections after seconds, a busy
    /// machine may keep a client from asking in time.
    static func answered(
        port: Int, _ talk: (SocketClient) -> String
    ) throws -> (client: SocketClient, text: String) {
        for _ in 0..<20 {
            let client = try SocketClient(port: port)
            let text = talk(client)
            if !text.isEmpty { return (client, text) }
        }
        throw Silence()
    }

    /// Sends a request that ends its connection, until it is answered.
    static func answer(port: Int, _ request: String) throws -> String {
        try answered(port: port) { client in
            client.send(request)
            return client.readAll()
        }.text
    }

    /// Sends a text, which is lost if the server has closed the connection.
    func send(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Waits until something comes, for a tenth of a second.
    func waitBriefly() {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&event, 1, 100)
    }

    /// Reads until the server closes the connection.
    func readAll() -> String { String(decoding: readAllBytes(), as: UTF8.self) }

    /// Reads until the server closes the connection.
    func readAllBytes() -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = Glibc.read(descriptor, &buffer, buffer.count), count > 0 {
            bytes += buffer.prefix(count)
        }
        return bytes
    }

    /// Reads until a text has come.
    func read(until text: String) -> String {
        var all = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !all.contains(text), case let count = Glibc.read(descriptor, &buffer, buffer.count), count > 0 {
            all += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
        return all
    }
}
