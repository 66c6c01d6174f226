import Testing
import ThumbwheelCore

@testable import ThumbwheelAssets

@Suite("When changes of a watched folder are imported") struct FollowPlanTests {
    private var plan = FollowPlan(FollowOptions.Pace())

    private func path(_ name: String) -> FilePath { FilePath("/photos/" + name) }

    private func seconds(_ seconds: Double) -> Duration { .milliseconds(Int((seconds * 1000).rounded())) }

    @Test("a closed file waits for others, and all that came are one batch")
    mutating func gathering() {
        plan.apply(.written(path("a")), at: seconds(1))
        #expect(plan.deadline == seconds(1.25))
        plan.apply(.written(path("b")), at: seconds(1.2))
        #expect(plan.work(at: seconds(1.25)) == nil)
        #expect(plan.work(at: seconds(1.45)) == .changes([path("a"): false, path("b"): false]))
        #expect(plan.deadline == nil && plan.work(at: seconds(100)) == nil)
    }

    @Test("files that keep coming do not delay the first one for ever")
    mutating func longest() {
        for tick in 0...25 {
            plan.apply(.written(path("\(tick)")), at: seconds(Double(tick) / 10))
            let work = plan.work(at: seconds(Double(tick) / 10))
            #expect((work == nil) == (tick != 20), "\(tick)")
        }
    }

    @Test("a burst is cut into batches of the given size, with no name twice and none lost")
    mutating func burst() {
        var pace = FollowOptions.Pace()
        pace.batchSize = 100
        plan = FollowPlan(pace)
        for number in 0..<250 { plan.apply(.written(path("\(number)")), at: .zero) }
        var batches: [Set<FilePath>] = []
        while case .changes(let paths) = plan.work(at: seconds(1)) { batches.append(Set(paths.keys)) }
        #expect(batches.map(\.count) == [100, 100, 50])
        #expect(batches.reduce(into: Set()) { $0.formUnion($1) }.count == 250)
    }

    @Test("paths that wait for later batches are sorted once, and those that come meanwhile with one another")
    func sorting() {
        nonisolated(unsafe) var count = 0
        var pace = FollowOptions.Pace()
        pace.batchSize = 100
        var plan = FollowPlan(pace) { one, other in
            count += 1
            return one.precedes(other)
        }
        let names = (0..<10_000).map { path("\($0 * 7919 % 10_007)") }
        for name in names { plan.apply(.written(name), at: .zero) }
        plan.apply(.folder(path("z"), isComplete: true), at: .zero)
        var taken: [FilePath] = []
        while case .changes(let paths) = plan.work(at: seconds(1)) {
            #expect(paths.count <= 100)
            if taken.isEmpty { #expect(paths[path("z")] == true) }
            taken += paths.keys.sorted { $0.precedes($1) }
            // A file for each batch comes while others wait.
            if taken.count <= 10_000 { plan.apply(.written(path("late-\(taken.count)")), at: .zero) }
        }
        #expect(Set(taken).isSuperset(of: names) && taken.count > 10_050 && Set(taken).count == taken.count)
        // A sort of 10 000 paths compares about 130 000 times.
        #expect(count < 300_000, "\(count) comparisons")
    }

    @Test("a file that grows waits until its writer closes it, or is quiet for long enough")
    mutating func growing() {
        plan.apply(.growing(path("a")), at: seconds(0))
        plan.apply(.growing(path("b")), at: seconds(0))
        plan.apply(.growing(path("a")), at: seconds(4))
        plan.apply(.written(path("b")), at: seconds(4))
        #expect(plan.work(at: seconds(4.5)) == .changes([path("b"): false]) && plan.unfinished == [path("a")])
        #expect(plan.deadline == seconds(9) && plan.work(at: seconds(8.9)) == nil)
        #expect(plan.work(at: seconds(9)) == .changes([path("a"): false]))
        // It is written to once more before its batch.
        plan.apply(.written(path("c")), at: seconds(10))
        plan.apply(.growing(path("c")), at: seconds(10.1))
        #expect(plan.work(at: seconds(11)) == nil)
        // A date that is set meanwhile is no end either.
        plan.apply(.touched(path("c")), at: seconds(12))
        #expect(plan.deadline == seconds(17))
        plan.apply(.touched(path("d")), at: seconds(12))
        #expect(plan.work(at: seconds(12.5)) == .changes([path("d"): false]))
    }

    @Test("a file that grows again takes its gathering time with it: the next one gathers anew")
    mutating func gatheringAnew() {
        plan.apply(.written(path("a")), at: seconds(0))
        plan.apply(.growing(path("a")), at: seconds(0.1))
        plan.apply(.written(path("b")), at: seconds(1.9))
        plan.apply(.written(path("c")), at: seconds(2.1))
        #expect(plan.work(at: seconds(2.2)) == nil)
        #expect(plan.work(at: seconds(2.35)) == .changes([path("b"): false, path("c"): false]))
    }

    @Test("a removed file grows no more, nor do those of a removed folder")
    mutating func removed() {
        for name in ["a", "sub/b", "sub/deep/c", "subway"] { plan.apply(.growing(path(name)), at: .zero) }
        plan.apply(.removed(path("a"), wasFolder: false), at: .zero)
        plan.apply(.removed(path("sub"), wasFolder: true), at: .zero)
        #expect(plan.unfinished == [path("subway")])
        #expect(plan.work(at: seconds(1)) == .changes([path("a"): false, path("sub"): true]))
    }

    @Test("lost events are answered by a scan, which takes all that waits; unfinished files go on waiting")
    mutating func overflow() {
        plan.apply(.written(path("a")), at: seconds(1))
        plan.apply(.growing(path("b")), at: seconds(1))
        plan.apply(.overflow, at: seconds(1))
        #expect(plan.work(at: seconds(1)) == .scan && plan.unfinished == [path("b")])
        #expect(plan.work(at: seconds(5)) == nil && plan.work(at: seconds(6)) == .changes([path("b"): false]))
        plan.scan(at: seconds(90))
        plan.scan(at: seconds(60))
        #expect(plan.deadline == seconds(60) && plan.work(at: seconds(60)) == .scan && plan.deadline == nil)
    }
}
