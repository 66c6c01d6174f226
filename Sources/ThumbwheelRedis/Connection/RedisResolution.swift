import ThumbwheelCore
import ThumbwheelLocks

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The search for the numeric addresses of a host, on a thread of its own: the system may take many seconds for it, and
/// meanwhile a connection has to answer those who wait.
final class RedisResolution: Sendable {
    typealias Answer = Result<[RedisAddress], RedisError>

    private struct State {
        var isRunning = false
        var answer: Answer?
    }

    private let state = Mutex(State())
    private let resolve: @Sendable (String, Int) -> Answer

    /// - Parameter resolve: finds the addresses of a host and a port, and may block.
    init(_ resolve: @escaping @Sendable (String, Int) -> Answer) { self.resolve = resolve }

    /// Begins a search, unless one is under way or has an answer that nobody has taken.
    ///
    /// - Parameter completion: called when there is an answer to take.
    func begin(host: String, port: Int, completion: @escaping @Sendable () -> Void) {
        let isNew = state.withLock { state in
            guard !state.isRunning, state.answer == nil else { return false }
            state.isRunning = true
            return true
        }
        guard isNew else { return }
        let isStarted = DetachedThread.start(named: "redis-resolve") { [self] in
            end(resolve(host, port))
            completion()
        }
        if !isStarted { end(.failure(.disconnected(reason: "no thread"))) }
    }

    private func end(_ answer: Answer) { state.withLock { ($0.isRunning, $0.answer) = (false, answer) } }

    /// Takes the answer; nil if the search is under way.
    func take() -> Answer? { state.withLock { $0.answer.take() } }

    /// Asks the system, which blocks. Addresses of version 4 come first, as hiredis has them.
    static func ask(host: String, port: Int) -> Answer {
        var hints = addrinfo()
        // Without the cast, the type differs between C libraries.
        hints.ai_socktype = numericCast(streamType)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &list)
        guard status == 0, let list else {
            return .failure(.disconnected(reason: String(cString: gai_strerror(status))))
        }
        defer { freeaddrinfo(list) }
        let entries = sequence(first: list) { $0.pointee.ai_next }.map(\.pointee)
        let sorted = entries.filter { $0.ai_family == AF_INET } + entries.filter { $0.ai_family == AF_INET6 }
        return .success(sorted.compactMap { number(of: $0) }.map { .port(host: $0, port) })
    }

    #if canImport(Glibc)
    private static let streamType = SOCK_STREAM.rawValue
    #else
    private static let streamType = SOCK_STREAM
    #endif

    private static func number(of entry: addrinfo) -> String? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
