import ThumbwheelAssets
import ThumbwheelScheduling

/// Makes a history that breaks a rule as short and as plain as it can (delta debugging: Zeller and Hildebrandt, 2002).
package struct HistoryShrinker {
    package private(set) var history: SimulatedHistory
    private let isBroken: (SimulatedHistory) -> Bool

    /// - Parameter isBroken: whether a history still breaks a rule.
    package init(_ history: SimulatedHistory, isBroken: @escaping (SimulatedHistory) -> Bool) {
        self.history = history
        self.isBroken = isBroken
    }

    /// Ends where no single event can be left out, and none be made plainer.
    package mutating func shrink() {
        var isPlainer = true
        while isPlainer {
            let hasPlainerSetup = simplifySetup()
            let isShorter = dropSteps()
            let hasPlainerSteps = simplifySteps()
            isPlainer = hasPlainerSetup || isShorter || hasPlainerSteps
        }
    }

    /// Takes a candidate that is still broken.
    private mutating func accept(_ candidate: SimulatedHistory) -> Bool {
        guard isBroken(candidate) else { return false }
        history = candidate
        return true
    }

    /// Leaves out steps: halves of the history, then quarters, down to one by one.
    private mutating func dropSteps() -> Bool {
        let stepCount = history.steps.count
        var length = max(1, stepCount / 2)
        while true {
            var start = 0
            var hasDropped = false
            while start < history.steps.count {
                let dropped = start..<min(start + length, history.steps.count)
                var candidate = history
                candidate.steps.removeSubrange(dropped)
                var later = candidate
                if start < later.steps.count {
                    later.steps[start].delay += history.steps[dropped].reduce(0) { $0 + $1.delay }
                }
                // At the times at which they were, what comes later may be what it was.
                if accept(candidate) || accept(later) { hasDropped = true } else { start += length }
            }
            if length == 1, !hasDropped { return history.steps.count < stepCount }
            length = max(1, length / 2)
        }
    }

    private mutating func simplifySetup() -> Bool {
        var isPlainer = false
        var candidates = history.setup.plainer
        while let candidate = candidates.popLast() {
            var changed = history
            changed.setup = candidate
            guard accept(changed) else { continue }
            isPlainer = true
            candidates = candidate.plainer
        }
        return isPlainer
    }

    private mutating func simplifySteps() -> Bool {
        var isPlainer = false
        for index in history.steps.indices {
            var candidates = history.steps[index].plainer
            while let candidate = candidates.popLast() {
                var changed = history
                changed.steps[index] = candidate
                guard accept(changed) else { continue }
                isPlainer = true
                candidates = candidate.plainer
            }
        }
        return isPlainer
    }
}

extension SimulatedHistory.Setup {
    /// The same but for one thing; the last to be tried are the plainest.
    fileprivate var plainer: [Self] {
        var candidates: [Self] = []
        func add(_ change: (inout Self) -> Void) {
            var candidate = self
            change(&candidate)
            candidates.append(candidate)
        }
        if !keepsRenditions { add { $0.keepsRenditions = true } }
        if packsRenditions { add { $0.packsRenditions = false } }
        if servesNewestFirst { add { $0.servesNewestFirst = false } }
        if weighsCost { add { $0.weighsCost = false } }
        if queue != .roomy { add { $0.queue = .roomy } }
        if budget < 64 << 20 { add { $0.budget = 64 << 20 } }
        for count in (1..<workerCount).reversed() { add { $0.workerCount = count } }
        return candidates
    }
}

extension SimulatedStep {
    fileprivate var plainer: [SimulatedStep] {
        (delay > 0 ? [SimulatedStep(delay: 0, event: event)] : [])
            + event.plainer.map { SimulatedStep(delay: delay, event: $0) }
    }
}

extension SimulatedEvent {
    /// The same but for one thing.
    fileprivate var plainer: [SimulatedEvent] {
        switch self {
        case .submit(let request):
            return request.plainer.map { .submit($0) }
        case .move(let request, let priority, let urgency):
            return urgency == 0 ? [] : [.move(request: request, priority: priority, urgency: 0)]
        case .startCaching(let window, let entries):
            return entries.withoutOne.map { .startCaching(window: window, $0) }
        case .stopCaching(let window, let pictures):
            return pictures.withoutOne.map { .stopCaching(window: window, $0) }
        case .batch(let events):
            return (events.count == 1 ? events : []) + events.withoutOne.map { .batch($0) }
        default:
            return []
        }
    }
}

extension SimulatedRequest {
    fileprivate var plainer: [SimulatedRequest] {
        var candidates: [SimulatedRequest] = []
        func add(_ change: (inout SimulatedRequest) -> Void) {
            var candidate = self
            change(&candidate)
            candidates.append(candidate)
        }
        if urgency != 0 { add { $0.urgency = 0 } }
        if !isNetworkAccessAllowed { add { $0.isNetworkAccessAllowed = true } }
        if deadlineMicroseconds != nil { add { $0.deadlineMicroseconds = nil } }
        if picture.isFitted { add { $0.picture.isFitted = false } }
        if picture.isCropped { add { $0.picture.isCropped = false } }
        if picture.side != SimulatedWorld.sides[0] { add { $0.picture.side = SimulatedWorld.sides[0] } }
        if isEncoded { add { $0.isEncoded = false } }
        if allowsSecondDegraded { add { $0.allowsSecondDegraded = false } }
        if asksCacheFirst { add { $0.asksCacheFirst = false } }
        if isCancelledBefore { add { $0.isCancelledBefore = false } }
        return candidates
    }
}

extension Array {
    fileprivate var withoutOne: [[Element]] {
        guard count > 1 else { return [] }
        return indices.map { index in
            var shorter = self
            shorter.remove(at: index)
            return shorter
        }
    }
}
