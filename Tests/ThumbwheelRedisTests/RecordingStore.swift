import Thumbwheel
import ThumbwheelCaching
import ThumbwheelLocks

/// A store that has nothing, lets whoever claims a value make it, and notes what happens.
final class RecordingStore: SharedStore {
    private struct Claim: SharedClaim {
        let store: RecordingStore

        func end() { store.note("end") }
        func endWithoutValue() { store.note("end without value") }
    }

    private let events = Mutex<[String]>([])
    let valueByteLimit: Int

    init(valueByteLimit: Int) { self.valueByteLimit = valueByteLimit }

    private func note(_ event: String) { events.withLock { $0.append(event) } }

    /// What has happened: claims, values and ends of claims.
    var log: [String] { events.withLock { $0 } }

    var statistics: SharedStoreStatistics { SharedStoreStatistics() }

    func lookUp(_ key: SharedKey, completion: @escaping @Sendable (SharedAnswer) -> Void) { completion(.missing) }

    func put(_ value: StoredValue, for key: SharedKey, completion: @escaping @Sendable () -> Void) {
        note("put")
        completion()
    }

    func claim(
        _ key: SharedKey, lifetime: Duration, completion: @escaping @Sendable (SharedClaimAnswer) -> Void
    ) -> any SharedClaim {
        note("claim")
        completion(.won)
        return Claim(store: self)
    }
}
