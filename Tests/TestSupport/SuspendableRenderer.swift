import Dispatch
import Thumbwheel
import ThumbwheelLocks

/// A renderer that makes blank images, counts its calls, and can be held up: a call made while it is suspended goes on
/// when it is resumed, or stops when it is cancelled (unless it stands for a decoder that cannot be stopped), and no
/// test has to wait for a clock.
package final class SuspendableRenderer: RenditionRenderer {
    package typealias Answer = @Sendable (RenditionKey) -> Result<PipelineImage, ImageRequestError>

    private struct State {
        var isSuspended: Bool
        var callCount = 0
        var renditions: [RenditionKey] = []
        var stoppedCount = 0
        var runningCount = 0
        var peakRunningCount = 0
        /// Calls held up, by number, with what lets each go on.
        var held: [Int: DispatchSemaphore] = [:]
        var watchers: [(callCount: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    package static let side = 16
    package static let previewSide = 4

    private let state: Mutex<State>
    private let answer: Answer
    private let isStoppable: Bool

    /// - Parameter isStoppable: whether a call that is held up goes on when it is cancelled.
    package init(
        isSuspended: Bool = false, isStoppable: Bool = true, answer: @escaping Answer = SuspendableRenderer.blankImage
    ) {
        self.isStoppable = isStoppable
        state = Mutex(State(isSuspended: isSuspended))
        self.answer = answer
    }

    package static let blankImage: Answer = { key in
        let bitmap = Pictures.bitmap(side: key.kind == .preview ? previewSide : side)
        return .success(
            PipelineImage(
                .pixels(bitmap),
                ImageFacts(
                    pixelSize: bitmap.size, byteCount: bitmap.byteCount,
                    source: key.kind == .preview ? .embedded : .reduced, eighths: 1, decoder: .vips)))
    }

    /// A blank image for renditions, and an error for original files.
    package static let blankImageOrNoFile: Answer = { key in
        key.kind == .original ? .failure(.rendering(.source(.notFound(path: "")))) : blankImage(key)
    }

    /// The renditions asked for so far, in order of the calls.
    package var renditions: [RenditionKey] { state.withLock { $0.renditions } }
    package var callCount: Int { state.withLock { $0.callCount } }
    /// Calls that ended because they were cancelled.
    package var stoppedCount: Int { state.withLock { $0.stoppedCount } }
    package var runningCount: Int { state.withLock { $0.runningCount } }
    package var peakRunningCount: Int { state.withLock { $0.peakRunningCount } }

    package func suspend() {
        state.withLock { $0.isSuspended = true }
    }

    package func resume() {
        let held = state.withLock { state in
            state.isSuspended = false
            defer { state.held = [:] }
            return state.held
        }
        for semaphore in held.values { semaphore.signal() }
    }

    /// Returns when there have been this many calls.
    package func waitForCalls(_ callCount: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.callCount < callCount { state.watchers.append((callCount, continuation)) }
                return state.callCount >= callCount
            }
            if isThere { continuation.resume() }
        }
    }

    package func render(_ assignment: RenderAssignment, with assistants: any RenderAssistants) -> RenderOutcome {
        let (gate, number) = begin(assignment.keys)
        if let gate {
            let registration = assignment.token.onCancel { [self] in
                guard isStoppable else { return }
                // Whoever takes the gate out of the table is the one to open it.
                if state.withLock({ $0.held.removeValue(forKey: number) }) != nil { gate.signal() }
            }
            gate.wait()
            assignment.token.removeHandler(registration)
        }
        let isStopped = assignment.token.isCancelled
        state.withLock { state in
            state.runningCount -= 1
            if isStopped { state.stoppedCount += 1 }
        }
        return isStopped ? .stopped : .ended(assignment.keys.map(answer))
    }

    private func begin(_ keys: [RenditionKey]) -> (gate: DispatchSemaphore?, number: Int) {
        let (gate, number, watchers) = state.withLock { state in
            state.callCount += 1
            state.renditions += keys
            state.runningCount += 1
            state.peakRunningCount = max(state.peakRunningCount, state.runningCount)
            let number = state.callCount
            var gate: DispatchSemaphore?
            if state.isSuspended {
                gate = DispatchSemaphore(value: 0)
                state.held[number] = gate
            }
            let watchers = state.watchers.filter { $0.callCount <= number }
            state.watchers.removeAll { $0.callCount <= number }
            return (gate, number, watchers.map(\.continuation))
        }
        for watcher in watchers { watcher.resume() }
        return (gate, number)
    }
}
