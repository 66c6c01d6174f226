import Thumbwheel
import ThumbwheelLocks

/// What one user may see at present, and how often that has changed.
final class SoakPolicy: AccessPolicy {
    private struct State {
        var access: LibraryAccess
        var changeCount = 0
    }

    private let state: Mutex<State>

    init(_ access: LibraryModel.Access) {
        state = Mutex(State(access: Self.access(access)))
    }

    var access: LibraryAccess { state.withLock { $0.access } }

    var changeCount: Int { state.withLock { $0.changeCount } }

    func set(_ access: LibraryModel.Access) {
        state.withLock { state in
            state.access = Self.access(access)
            state.changeCount += 1
        }
    }

    func sees(_ identifier: AssetIdentifier) -> Bool {
        switch access {
        case .full: true
        case .addOnly: false
        case .limited(let identifiers): identifiers.contains(identifier)
        }
    }

    private static func access(_ access: LibraryModel.Access) -> LibraryAccess {
        switch access {
        case .full: .full
        case .limited(let numbers): .limited(to: Set(numbers.map(AssetIdentifier.init(soak:))))
        }
    }
}

extension AssetIdentifier {
    init(soak number: Int) {
        self.init(high: 0x50A4, low: UInt64(number))
    }

    var soakNumber: Int { Int(low) }
}
