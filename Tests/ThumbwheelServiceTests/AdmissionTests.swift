import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelLocks
import ThumbwheelScheduling

@testable import ThumbwheelService

@Suite("Admission of tenants' requests")
struct AdmissionTests {
    private func hint(distance: Int? = nil) -> PriorityHint {
        PriorityHint(distance.map { ["thumbwheel-distance": "\($0)"] } ?? [:])
    }

    private final class Order: Sendable {
        private let entries = Mutex<[(name: String, entry: Admission.Entry)]>([])

        func add(_ name: String, _ entry: Admission.Entry) { entries.withLock { $0.append((name, entry)) } }

        func entries(_ name: String) -> [Admission.Entry] {
            entries.withLock { $0.filter { $0.name == name }.map(\.entry) }
        }

        var names: [String] { entries.withLock { $0.map(\.name) } }

        /// Ends the requests that were started, in their order, until no more are, also after places that were kept for a
        /// tenant are given away.
        func finishAll(_ admission: Admission, _ clock: ManualClock) {
            var done = 0
            while true {
                while let next = entries.withLock({ $0.count > done ? $0[done].entry : nil }) {
                    admission.leave(next)
                    done += 1
                }
                clock.advance(by: 1000)
                if entries.withLock({ $0.count == done }) { return }
            }
        }
    }

    @Test("a tenant with ten thousand requests delays another's by what runs, not by what waits")
    func fairness() {
        let clock = ManualClock()
        let shares = [Admission.Share(weight: 1, limit: 100_000), .init(weight: 1, limit: 100)]
        let admission = Admission(shares, workerCount: 2, runningLimit: 2, clock: .init(clock))
        let order = Order()
        for _ in 0..<10_000 { _ = admission.enter(0, hint()) { order.add("greedy", $0) } }
        for _ in 0..<3 { _ = admission.enter(1, hint()) { order.add("small", $0) } }
        order.finishAll(admission, clock)
        let places = order.names.indices.filter { order.names[$0] == "small" }
        #expect(places.count == 3 && places.last! <= 8, "\(places)")
        #expect(admission.counts == [.init(), .init()])
    }

    @Test("shares are as the weights")
    func weights() {
        let clock = ManualClock()
        let shares = [Admission.Share(weight: 3, limit: 1000), .init(weight: 1, limit: 1000)]
        let admission = Admission(shares, workerCount: 1, runningLimit: 1, clock: .init(clock))
        let order = Order()
        for _ in 0..<400 {
            _ = admission.enter(0, hint()) { order.add("three", $0) }
            _ = admission.enter(1, hint()) { order.add("one", $0) }
        }
        order.finishAll(admission, clock)
        let three = order.names.prefix(200).filter { $0 == "three" }.count
        #expect((148...152).contains(three), "\(three)")
    }

    @Test("shares are of time and not of requests, so that one tenant's large pictures cost it its turns")
    func times() {
        let admission = Admission(
            [.init(weight: 1, limit: 10_000), .init(weight: 1, limit: 10_000)], workerCount: 1, runningLimit: 1)
        let started = Mutex<[(tenant: Int, entry: Admission.Entry)]>([])
        for _ in 0..<2000 {
            _ = admission.enter(0, hint()) { entry in started.withLock { $0.append((0, entry)) } }
            _ = admission.enter(1, hint()) { entry in started.withLock { $0.append((1, entry)) } }
        }
        var times = [0.0, 0.0]
        var done = 0
        while times[0] + times[1] < 6000, let next = started.withLock({ $0.count > done ? $0[done] : nil }) {
            let time = next.tenant == 0 ? 40.0 : 2.0
            times[next.tenant] += time
            admission.leave(next.entry, milliseconds: time)
            done += 1
        }
        #expect(times[0] / times[1] > 0.9 && times[0] / times[1] < 1.1, "\(times)")
    }

    @Test("within a tenant what is visible goes first, then the nearest, then the newest")
    func ranks() {
        let clock = ManualClock()
        let admission = Admission(
            [.init(weight: 1, limit: 100)], workerCount: 1, runningLimit: 1, clock: .init(clock))
        let order = Order()
        _ = admission.enter(0, hint()) { order.add("running", $0) }
        for (name, distance) in [("far", 9), ("old", nil), ("near", 2), ("new", nil)] as [(String, Int?)] {
            _ = admission.enter(0, hint(distance: distance)) { order.add(name, $0) }
        }
        order.finishAll(admission, clock)
        #expect(order.names == ["running", "new", "old", "near", "far"])
    }

    @Test("a request that is taken back is never started, and its place is free")
    func withdrawing() {
        let admission = Admission([.init(weight: 1, limit: 2)], workerCount: 1, runningLimit: 1)
        let order = Order()
        let first = admission.enter(0, hint()) { order.add("first", $0) }!
        let second = admission.enter(0, hint()) { order.add("second", $0) }!
        #expect(admission.enter(0, hint()) { order.add("refused", $0) } == nil)
        #expect(!admission.withdraw(first) && admission.withdraw(second) && !admission.withdraw(second))
        _ = admission.enter(0, hint()) { order.add("third", $0) }
        admission.leave(first)
        admission.leave(first)
        #expect(order.names == ["first", "third"])
        #expect(admission.counts == [.init(waiting: 0, running: 1)])
    }

    /// Two workers, and at most three requests that run. The first tenant has a hundred requests, none of those that were
    /// started runs any more, and the second tenant has just been answered.
    private func besideGreedyOne(weight: Double, clock: ManualClock) -> Admission {
        let shares = [Admission.Share(weight: weight, limit: 1000), .init(weight: 1, limit: 1000)]
        let admission = Admission(shares, workerCount: 2, runningLimit: 3, clock: .init(clock))
        let order = Order()
        for _ in 0..<100 { _ = admission.enter(0, hint()) { order.add("greedy", $0) } }
        let modest = admission.enter(1, hint()) { order.add("modest", $0) }!
        // One of three greedy renders ends, so that the modest one runs, for ten milliseconds.
        admission.leave(order.entries("greedy")[0], milliseconds: 10)
        clock.advance(by: 10)
        admission.leave(modest, milliseconds: 10)
        for entry in order.entries("greedy").dropFirst() { admission.leave(entry, milliseconds: 10) }
        return admission
    }

    @Test("a tenant that was answered a moment ago finds a worker free, whatever another one has waiting")
    func keptPlace() {
        let clock = ManualClock()
        let admission = besideGreedyOne(weight: 1, clock: clock)
        #expect(admission.counts.map(\.running) == [1, 0])
        clock.advance(by: 1)
        _ = admission.enter(1, hint()) { _ in }
        #expect(admission.counts == [.init(waiting: 96, running: 1), .init(waiting: 0, running: 1)])
    }

    @Test("a place that was kept for a tenant that has gone is given to others, though none of their requests ends")
    func keptPlaceEnds() {
        let clock = ManualClock()
        let admission = besideGreedyOne(weight: 1, clock: clock)
        #expect(admission.counts.map(\.running) == [1, 0])
        clock.advance(by: 60)
        #expect(admission.counts.map(\.running) == [3, 0])
    }

    @Test("nothing is kept for a tenant whose share is less than a worker, so that shares stay as the weights")
    func smallShare() {
        let admission = besideGreedyOne(weight: 3, clock: ManualClock())
        #expect(admission.counts.map(\.running) == [3, 0])
    }
}

extension Admission.Clock {
    fileprivate init(_ clock: ManualClock) { self.init(now: { clock.now }, run: clock.run(at:_:)) }
}
