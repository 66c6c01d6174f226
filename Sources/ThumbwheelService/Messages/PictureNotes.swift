import ThumbwheelLocks

/// Notes on the pictures of an answer that has several. They are filled in while the answer is sent, and read once it is over.
final class PictureNotes: Sendable {
    private struct State {
        var origin: ServiceNotes.Origin?
        var queueMilliseconds = 0.0
        var renderMilliseconds = 0.0
    }

    private let state = Mutex(State())

    /// Adds what is known of one picture.
    func add(_ notes: ServiceNotes) {
        state.withLock { state in
            if let origin = notes.origin, origin.rank > state.origin?.rank ?? -1 { state.origin = origin }
            state.queueMilliseconds = max(state.queueMilliseconds, notes.queueMilliseconds)
            if notes.origin == .render { state.renderMilliseconds += notes.renderMilliseconds }
        }
    }

    var origin: ServiceNotes.Origin? { state.withLock { $0.origin } }

    /// The longest time that a picture was in queues.
    var queueMilliseconds: Double { state.withLock { $0.queueMilliseconds } }

    /// The time that all renders took together.
    var renderMilliseconds: Double { state.withLock { $0.renderMilliseconds } }
}

extension ServiceNotes.Origin {
    /// The place among the origins by what it takes to have a picture from there.
    fileprivate var rank: Int {
        switch self {
        case .client: 0
        case .cache: 1
        case .store: 2
        case .render: 3
        }
    }
}
