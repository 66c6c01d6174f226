import Dispatch
import Foundation
import Synchronization

/// A thread that renders what it is handed, one job after another.
final class RenderWorker: Sendable {
    private enum Mail {
        case none
        case assignment(RenderAssignment)
        case exit
    }

    private let mail = Mutex(Mail.none)
    /// One signal for each piece of mail: none is lost, whether the thread is parked yet or not.
    private let arrival = DispatchSemaphore(value: 0)

    /// Starts the thread. `run` does one job and returns the next one, where there is one for this worker.
    func start(named name: String, run: @escaping @Sendable (RenderAssignment) -> RenderAssignment?) {
        let thread = Thread { [self] in
            while let first = nextAssignment() {
                var assignment: RenderAssignment? = first
                while let current = assignment { assignment = run(current) }
            }
        }
        thread.name = name
        // Some decoders keep working memory on the stack; untouched pages cost nothing.
        thread.stackSize = 4 << 20
        thread.start()
    }

    func hand(_ assignment: RenderAssignment) {
        mail.withLock { $0 = .assignment(assignment) }
        arrival.signal()
    }

    /// Lets the thread end as soon as it has nothing to do.
    func exit() {
        mail.withLock { $0 = .exit }
        arrival.signal()
    }

    private func nextAssignment() -> RenderAssignment? {
        arrival.wait()
        return mail.withLock { mail in
            guard case .assignment(let assignment) = mail else { return nil }
            mail = .none
            return assignment
        }
    }
}
