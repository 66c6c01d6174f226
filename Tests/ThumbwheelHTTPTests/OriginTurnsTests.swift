import Foundation
import Testing

@testable import ThumbwheelHTTP

@Suite struct OriginTurnsTests {
    private final class Request: Equatable {
        static func == (one: Request, other: Request) -> Bool { one === other }
    }

    private let (a, b): (HTTPOrigin, HTTPOrigin)

    init() throws {
        a = try #require(HTTPOrigin(URL(string: "http://a/")!))
        b = try #require(HTTPOrigin(URL(string: "https://a/")!))
    }

    @Test("so many requests run to a server, the others in their order, and no server waits for another")
    func order() {
        var turns = OriginTurns<Request>(limit: 2)
        let requests = (0..<5).map { _ in Request() }
        let areRunning = requests.map { turns.begin($0, to: a) } + [turns.begin(Request(), to: b)]
        #expect(areRunning == [true, true, false, false, false, true])
        let third = turns.end(to: a)
        turns.removeWaiting { $0 === requests[3] }
        let last = turns.end(to: a)
        #expect(third === requests[2] && last === requests[4])
        // Both places are free then, and the other server's is taken still.
        let ends = [turns.end(to: a), turns.end(to: a)]
        #expect(ends.allSatisfy { $0 == nil } && !turns.isEmpty)
        _ = turns.end(to: b)
        #expect(turns.isEmpty)
    }

    @Test("all requests are removed at once, and those that waited are told")
    func removal() {
        var turns = OriginTurns<Request>(limit: 1)
        let requests = (0..<3).map { _ in Request() }
        for request in requests { _ = turns.begin(request, to: a) }
        let waiting = turns.removeAll()
        #expect(waiting.elementsEqual(requests[1...]) { $0 === $1 })
        #expect(turns.isEmpty)
    }

    @Test("addresses of one server have one origin, whether they state the usual port or not")
    func origins() {
        func origin(_ text: String) -> HTTPOrigin? { URL(string: text).flatMap { HTTPOrigin($0) } }
        #expect(origin("HTTP://A/x") == origin("http://user:word@a:80/y"))
        #expect(origin("https://a") == origin("https://a:443/") && origin("https://a") != origin("http://a"))
        #expect(origin("ftp://a/") == nil && origin("file:///a") == nil && origin("http:///a") == nil)
    }
}
