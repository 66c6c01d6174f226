import Dispatch
import Foundation
import ThumbwheelCore

/// A thread that renders what it is handed, one job after another.
final class RenderWorker: Sendable {
    private struct Mail {
        var assignment: RenderAssignment?
        var isLeaving = false
    }

    private let mail = Mutex(Mail())
    /// One signal for each piece of mail: none is lost, whether the thread is parked yet or not.
    private let arrival = DispatchSemaphore(value: 0)
    private let departure = DispatchSemaphore(value: 0)

    /// Starts the thread. `run` does one job and returns the next one, where there is one for this worker.
    func start(named name: String, run: @escaping @Sendable (RenderAssignment) -> RenderAssignment?) {
        let thread = Thread { [self] in
            while let first = nextAssignment() {
                var assignment: RenderAssignment? = first
                while let current = assignment { assignment = run(current) }
            }
            departure.signal()
        }
        thread.name = name
        // Some decoders keep working memory on the stack; untouched pages cost nothing.
        thread.stackSize = 4 << 20
        thread.start()
    }

    func hand(_ assignment: RenderAssignment) {
        mail.withLock { $0.assignment = assignment }
        arrival.signal()
    }

    /// Lets the thread end as soon as it has done what it was handed.
    func exit() {
        mail.withLock { $0.isLeaving = true }
        arrival.signal()
    }

    /// Waits until the thread has left its loop. Not to be called on the worker's own thread.
    func waitForExit() {
        departure.wait()
        departure.signal()
    }

    private func nextAssignment() -> RenderAssignment? {
        while true {
            arrival.wait()
            let (assignment, isLeaving) = mail.withLock { mail in
                defer { mail.assignment = nil }
                return (mail.assignment, mail.isLeaving)
            }
            if let assignment { return assignment }
            if isLeaving { return nil }
        }
    }
}
