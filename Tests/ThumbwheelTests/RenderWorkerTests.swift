import Dispatch
import Foundation
import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelLocks
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

@testable import Thumbwheel

/// The threads of a worker: in place of those with abandoned jobs, and where the system has none to give.
@Suite(.endsHangs) struct RenderWorkerTests {
    /// Assignments for different assets, made by a pipeline with as many workers.
    private static func assignments(_ count: Int) -> [RenderAssignment] {
        var state = PipelineState(configuration: PipelineState.Configuration(workerCount: count, budget: 1 << 30))
        for number in 0..<count {
            let asset = Pictures.asset(number)
            let request = PipelineRequest(
                key: RenditionKey(
                    subject: RenditionKey.Subject(asset: asset.identifier, contentVersion: 1), kind: .high,
                    options: RenderOptions(targetSize: .small)),
                deliveryMode: .highQuality, priority: .userInitiated, urgency: 0, wantsPreview: false,
                allowsSecondDegraded: false, isNetworkAccessAllowed: false, reportsProgress: false,
                work: RenderWork(asset: asset, predictedByteCount: 1000), deadline: nil, receiver: .none)
            _ = state.submit(request, at: .zero)
        }
        return state.takeActions().compactMap { if case .start(let assignment) = $0 { assignment } else { nil } }
    }

    @Test("a worker takes all jobs that are handed to it while it has no thread, in their order")
    func handing() {
        let (assignments, worker) = (Self.assignments(3), RenderWorker())
        let ran = Mutex<[JobID]>([])
        for assignment in assignments { worker.hand(assignment) }
        worker.start(named: "worker") { assignment in
            ran.withLock { $0.append(assignment.job) }
            return .wait
        }
        worker.exit()
        worker.waitForExit()
        #expect(assignments.count == 3 && ran.withLock { $0 } == assignments.map(\.job))
    }

    @Test("a thread whose job was abandoned takes no other job until the worker gets a thread again")
    func threads() {
        let (assignments, worker) = (Self.assignments(40), RenderWorker())
        let ran = Mutex<[JobID]>([])
        let end = DispatchSemaphore(value: 0)
        for assignment in assignments {
            worker.start(named: "worker") { assignment in
                ran.withLock { $0.append(assignment.job) }
                end.signal()
                return .leave
            }
            worker.hand(assignment)
        }
        for _ in assignments { end.wait() }
        worker.exit()
        worker.waitForExit()
        #expect(Set(ran.withLock { $0 }) == Set(assignments.map(\.job)))
    }

    /// Starts threads until it is told to refuse.
    private final class ThreadSource: Sendable {
        /// Called in place of a start that is refused; nil while threads are started.
        let refusal = Mutex<(@Sendable () -> Void)?>(nil)

        func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
            guard let refusal = refusal.withLock({ $0 }) else { return DetachedThread.start(named: name, body) }
            refusal()
            return false
        }
    }

    /// Runs jobs and remembers them. The first one waits until it is let go.
    private final class Runner: Sendable {
        let letGo = DispatchSemaphore(value: 0)
        private let first: JobID
        private let ran = Mutex<[JobID]>([])
        private let end = DispatchSemaphore(value: 0)

        init(first: JobID) {
            self.first = first
        }

        func run(_ assignment: RenderAssignment) -> RenderWorker.Step {
            if assignment.job == first { letGo.wait() }
            ran.withLock { $0.append(assignment.job) }
            end.signal()
            return .leave
        }

        func waitForEnds(_ count: Int) -> [JobID] {
            for _ in 0..<count { end.wait() }
            return ran.withLock { $0 }
        }
    }

    @Test("a thread that becomes the spare one while the system refuses another takes its place")
    func spareThread() {
        let (assignments, source) = (Self.assignments(2), ThreadSource())
        let (worker, runner) = (RenderWorker(startingWith: source.start), Runner(first: assignments[0].job))
        worker.start(named: "worker") { runner.run($0) }
        worker.hand(assignments[0])
        source.refusal.withLock {
            $0 = {
                runner.letGo.signal()
                while !worker.hasSpareThread { sched_yield() }
            }
        }
        worker.start(named: "worker") { runner.run($0) }
        worker.hand(assignments[1])
        #expect(runner.waitForEnds(2) == assignments.map(\.job))
        worker.exit()
        worker.waitForExit()
    }

    @Test("a thread takes the place of each thread that the system has refused")
    func refusedThreads() {
        let (assignments, source) = (Self.assignments(3), ThreadSource())
        let (worker, runner) = (RenderWorker(startingWith: source.start), Runner(first: assignments[0].job))
        worker.start(named: "worker") { runner.run($0) }
        worker.hand(assignments[0])
        source.refusal.withLock { $0 = {} }
        for assignment in assignments.dropFirst() {
            worker.start(named: "worker") { runner.run($0) }
            worker.hand(assignment)
        }
        runner.letGo.signal()
        #expect(runner.waitForEnds(3) == assignments.map(\.job))
        worker.exit()
        worker.waitForExit()
    }

    @Test("a worker that has no thread from its beginning gets one as soon as the system has one")
    func laterThread() {
        let (assignments, source) = (Self.assignments(1), ThreadSource())
        let (worker, runner) = (RenderWorker(startingWith: source.start), Runner(first: .none))
        let refusalCount = Mutex(0)
        source.refusal.withLock {
            $0 = {
                // The second attempt is refused as well, and the third one is not.
                let count = refusalCount.withLock { count in
                    count += 1
                    return count
                }
                guard count == 2 else { return }
                source.refusal.withLock { $0 = nil }
            }
        }
        worker.start(named: "worker") { runner.run($0) }
        worker.hand(assignments[0])
        #expect(runner.waitForEnds(1) == assignments.map(\.job))
        worker.exit()
        worker.waitForExit()
    }
}
