import Testing
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelRedis

/// A connection as a value: no socket, no thread, and time as the test says.
struct RedisTrafficTests {
    /// How exchanges have ended, by their numbers: with answers, or nil.
    private final class Log: Sendable {
        let ends = Mutex<[Int: [RedisReply]?]>([:])
    }

    private let log = Log()
    private var traffic = RedisTraffic(greeting: [RedisCommand("PING")], timeout: .milliseconds(40))

    private func time(_ milliseconds: Double) -> MonotonicTime { .zero.advanced(byMilliseconds: milliseconds) }

    private func exchange(_ number: Int, at milliseconds: Double, commands: Int = 1) -> RedisExchange {
        RedisExchange(
            (0..<commands).map { RedisCommand("GET", "\(number).\($0)") }, deadline: time(milliseconds + 40)
        ) { [log] replies in log.ends.withLock { $0[number] = .some(replies) } }
    }

    @Test("commands wait for no answers, and answers go to their askers in order")
    mutating func pipeline() {
        let isTaken = traffic.submit(exchange(1, at: 0)) && traffic.submit(exchange(2, at: 0, commands: 2))
        #expect(isTaken)
        let order = traffic.nextOrder(at: time(0))
        #expect(order.link == .open)
        #expect(
            order.commands
                == [
                    RedisCommand("PING"), RedisCommand("GET", "1.0"), RedisCommand("GET", "2.0"),
                    RedisCommand("GET", "2.1"),
                ])
        let pong = traffic.receive(.status("PONG"), at: time(1))
        #expect(pong.done == nil && pong.failed.isEmpty)
        let first = traffic.receive(.integer(1), at: time(1))
        #expect(first.done?.replies == [.integer(1)])
        let half = traffic.receive(.integer(2), at: time(1))
        #expect(half.done == nil)
        let second = traffic.receive(.null, at: time(1))
        #expect(second.done?.replies == [.integer(2), .null])
        #expect(traffic.byteCount == 0)
    }

    @Test("a server that has failed is used again only once it answers a ping in a quarter of the time-out")
    mutating func slowPing() {
        _ = traffic.submit(exchange(1, at: 0))
        // The first ping may take the whole time-out.
        #expect(traffic.nextOrder(at: time(0)).alarm == time(40))
        _ = traffic.receive(.status("PONG"), at: time(1))
        #expect(traffic.nextOrder(at: time(40)).failed.count == 1)
        // A rest of a tenth of a second later, a ping that takes nearly the time-out is too late.
        #expect(traffic.nextOrder(at: time(140)).alarm == time(150))
        #expect(traffic.nextOrder(at: time(150)).link == .close)
        _ = traffic.receive(.status("PONG"), at: time(179))
        #expect(traffic.breaker.failure == .timedOut)
        #expect(traffic.breaker.failureCount == 2)
        #expect(traffic.nextOrder(at: time(350)).link == .open)
        _ = traffic.receive(.status("PONG"), at: time(359))
        #expect(traffic.breaker.failure == nil)
    }

    @Test("a server that is far away is used again after a failure, in twice its quickest opening")
    mutating func farAway() {
        _ = traffic.submit(exchange(1, at: 0))
        _ = traffic.nextOrder(at: time(0))
        _ = traffic.receive(.status("PONG"), at: time(15))
        _ = traffic.fail(.disconnected(reason: "reset"), at: time(16))
        #expect(traffic.nextOrder(at: time(16)).link == .close)
        #expect(traffic.nextOrder(at: time(116)).alarm == time(146))
        // A probe that takes as long as the first opening succeeds.
        #expect(traffic.nextOrder(at: time(131)).link == .keep)
        _ = traffic.receive(.status("PONG"), at: time(131))
        #expect(traffic.breaker.failure == nil)
        #expect(traffic.isUsable)
    }

    @Test("a probe may take the whole time-out where no link has been opened yet, and never longer")
    mutating func unknownDistance() {
        _ = traffic.submit(exchange(1, at: 0))
        _ = traffic.nextOrder(at: time(0))
        #expect(traffic.nextOrder(at: time(40)).link == .close)
        #expect(traffic.nextOrder(at: time(140)).alarm == time(180))
        _ = traffic.receive(.status("PONG"), at: time(170))
        #expect(traffic.isUsable)
        // Twice the 30 milliseconds of that opening would be longer than the time-out.
        _ = traffic.fail(.disconnected(reason: "reset"), at: time(171))
        _ = traffic.nextOrder(at: time(171))
        let order = traffic.nextOrder(at: time(1_000))
        #expect(order.link == .open)
        #expect(order.alarm == time(1_040))
    }

    @Test("a server that hangs costs one time-out, and then nothing until it has answered a ping")
    mutating func hanging() {
        _ = traffic.submit(exchange(1, at: 0))
        _ = traffic.nextOrder(at: time(0))
        _ = traffic.receive(.status("PONG"), at: time(1))
        _ = traffic.receive(.null, at: time(1))
        _ = traffic.submit(exchange(2, at: 10))
        _ = traffic.submit(exchange(3, at: 20))
        var order = traffic.nextOrder(at: time(20))
        #expect(order.alarm == time(50))
        // Both fail with the first, because answers come in order.
        order = traffic.nextOrder(at: time(50))
        #expect(order.failed.count == 2)
        #expect(order.link == .close)
        #expect(traffic.breaker.failure == .timedOut)
        #expect(order.alarm == time(150))
        let isTaken = traffic.submit(exchange(4, at: 60))
        #expect(!isTaken)
        // The rest is over: the connection tries, and still nobody has to.
        order = traffic.nextOrder(at: time(150))
        #expect(order.link == .open)
        #expect(order.commands == [RedisCommand("PING")])
        let isTakenBefore = traffic.submit(exchange(5, at: 151))
        #expect(!isTakenBefore)
        order = traffic.nextOrder(at: time(190))
        #expect(order.link == .close)
        // Twice the rest, because the server has still not been well.
        #expect(order.alarm == time(390))
        order = traffic.nextOrder(at: time(390))
        #expect(order.link == .open)
        _ = traffic.receive(.status("PONG"), at: time(391))
        #expect(traffic.breaker.failure == nil)
        let isTakenAfter = traffic.submit(exchange(6, at: 392))
        #expect(isTakenAfter)
    }

    @Test("rests grow to ten seconds, and begin anew for a server that was well for a while")
    mutating func rests() {
        var breaker = RedisBreaker()
        var now = time(0)
        for expected in [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10, 10] {
            breaker.noteFailure(.timedOut, at: now)
            #expect(breaker.end.milliseconds(since: now) == expected * 1_000)
            now = breaker.end
        }
        breaker.noteSuccess()
        breaker.noteFailure(.timedOut, at: now.advanced(byMilliseconds: 9_000))
        #expect(breaker.end.milliseconds(since: now) == 19_000)
        breaker.noteSuccess()
        now = breaker.end.advanced(byMilliseconds: 10_001)
        breaker.noteFailure(.timedOut, at: now)
        #expect(breaker.end.milliseconds(since: now) == 100)
    }

    @Test("a refused password, an answer to nothing and a lost link are failures; closing ends all")
    mutating func failures() {
        _ = traffic.submit(exchange(1, at: 0))
        _ = traffic.nextOrder(at: time(0))
        let refused = traffic.receive(.error("NOAUTH Authentication required."), at: time(1))
        #expect(refused.failed.count == 1)
        #expect(traffic.breaker.failure == .refused(reason: "NOAUTH Authentication required."))
        _ = traffic.nextOrder(at: time(1))
        _ = traffic.nextOrder(at: time(200))
        _ = traffic.receive(.status("PONG"), at: time(201))
        let odd = traffic.receive(.integer(1), at: time(201))
        #expect(odd.done == nil)
        #expect(traffic.breaker.failure == .malformed)
        _ = traffic.nextOrder(at: time(202))
        _ = traffic.nextOrder(at: time(900))
        _ = traffic.receive(.status("PONG"), at: time(901))
        _ = traffic.submit(exchange(2, at: 902))
        let lost = traffic.fail(.disconnected(reason: "reset"), at: time(903))
        #expect(lost.count == 1)
        traffic.close()
        let order = traffic.nextOrder(at: time(904))
        #expect(order.isOver)
        let isTaken = traffic.submit(exchange(3, at: 905))
        #expect(!isTaken)
    }

    @Test("a server that says that it is of no use now has failed; other errors are answers")
    mutating func unfit() {
        for text in [
            "READONLY You can't write against a read only replica.", "LOADING Redis is loading the dataset in memory",
            "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
        ] {
            var traffic = traffic
            _ = traffic.submit(exchange(1, at: 0))
            _ = traffic.submit(exchange(2, at: 0))
            _ = traffic.nextOrder(at: time(0))
            _ = traffic.receive(.status("PONG"), at: time(1))
            let (done, failed) = traffic.receive(.error(text), at: time(2))
            #expect(done == nil && failed.count == 2)
            #expect(traffic.breaker.failure == .refused(reason: text))
            #expect(traffic.nextOrder(at: time(2)).link == .close)
        }
        for text in ["ERR no", "WRONGTYPE no", "OOM no", "MOVED 1 a:1", "READONLYS", ""] {
            var traffic = traffic
            _ = traffic.submit(exchange(1, at: 0))
            _ = traffic.nextOrder(at: time(0))
            _ = traffic.receive(.status("PONG"), at: time(1))
            #expect(traffic.receive(.error(text), at: time(2)).done?.replies == [.error(text)])
            #expect(traffic.breaker.failure == nil)
        }
    }

    @Test("a server that has failed and that nobody asks for a minute is tried again only when somebody does")
    func unwanted() {
        var traffic = RedisTraffic(greeting: [RedisCommand("PING")], timeout: .milliseconds(40), endsUnwanted: true)
        _ = traffic.submit(exchange(1, at: 0))
        _ = traffic.nextOrder(at: time(0))
        _ = traffic.fail(.disconnected(reason: "gone"), at: time(1))
        _ = traffic.nextOrder(at: time(1))
        // Somebody asks now and then.
        for second in 1...100 {
            _ = traffic.submit(exchange(2, at: Double(second) * 1_000))
            #expect(!traffic.nextOrder(at: time(Double(second) * 1_000 + 50)).isDormant)
        }
        _ = traffic.fail(.disconnected(reason: "gone"), at: time(110_000))
        _ = traffic.nextOrder(at: time(110_000))
        #expect(traffic.nextOrder(at: time(160_000)).link == .open)
        _ = traffic.fail(.disconnected(reason: "gone"), at: time(160_001))
        _ = traffic.nextOrder(at: time(160_001))
        #expect(traffic.nextOrder(at: time(180_000)).isDormant)
        _ = traffic.submit(exchange(3, at: 180_001))
        #expect(traffic.nextOrder(at: time(180_001)).link == .open)
    }

    @Test("a link that has failed is closed before the next one is opened, however late that is noticed")
    mutating func replacing() {
        _ = traffic.submit(exchange(1, at: 0))
        _ = traffic.nextOrder(at: time(0))
        _ = traffic.fail(.disconnected(reason: "reset"), at: time(1))
        var order = traffic.nextOrder(at: time(10_000))
        #expect(order.link == .close)
        order = traffic.nextOrder(at: time(10_000))
        #expect(order.link == .open)
    }
}
