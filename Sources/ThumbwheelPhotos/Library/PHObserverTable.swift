import Thumbwheel
import ThumbwheelLocks

/// The registrations of observers, by the observer. An observer may be registered several times.
final class PHObserverTable: Sendable {
    private let observations = Mutex<[ObjectIdentifier: [ChangeObservation]]>([:])

    func add(_ observation: ChangeObservation, of observer: AnyObject) {
        observations.withLock { $0[ObjectIdentifier(observer), default: []].append(observation) }
    }

    /// Ends all registrations of an observer. A call of the observer that has begun on another thread is waited for.
    func remove(_ observer: AnyObject) {
        let ended = observations.withLock { $0.removeValue(forKey: ObjectIdentifier(observer)) } ?? []
        for observation in ended { observation.cancel() }
    }
}
