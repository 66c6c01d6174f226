import Glibc

/// An address in digits and a port, as the system takes them.
struct ListeningAddress {
    let isIPv6: Bool
    private let bytes: [UInt8]

    init?(host: String, port: Int) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let name = host == "localhost" ? "127.0.0.1" : host
        guard getaddrinfo(name, "\(port)", &hints, &list) == 0, let first = list else { return nil }
        defer { freeaddrinfo(list) }
        isIPv6 = first.pointee.ai_family == AF_INET6
        bytes = Array(UnsafeRawBufferPointer(start: first.pointee.ai_addr, count: Int(first.pointee.ai_addrlen)))
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
        bytes.withUnsafeBytes { body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self)) }
    }
}
