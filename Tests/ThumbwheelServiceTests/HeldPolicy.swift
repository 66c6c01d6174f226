import Thumbwheel

/// A policy that allows everything, and can be held up as one on a disk that hangs.
final class HeldPolicy: AccessPolicy {
    private let calls = HeldCalls()

    var access: LibraryAccess {
        calls.pass()
        return .full
    }

    func hold() { calls.hold() }

    /// Returns once somebody has asked and waits.
    func waitForCall() async { await calls.waitForCalls() }

    func release() { calls.release() }
}
