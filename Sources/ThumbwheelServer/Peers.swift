import Glibc
import ThumbwheelLocks

/// The connections of a server. Those whose clients are late are shut down; the server then closes them.
final class Peers: Sendable {
    private struct State {
        var nextNumber: UInt64 = 0
        var peers: [UInt64: Peer] = [:]
    }

    private let state = Mutex(State())

    func add(_ descriptor: Int32) -> Peer {
        state.withLock { state in
            state.nextNumber += 1
            let peer = Peer(number: state.nextNumber, descriptor: descriptor)
            state.peers[peer.number] = peer
            return peer
        }
    }

    /// Forgets a connection whose descriptor is about to be closed.
    func remove(_ peer: Peer) {
        _ = state.withLock { $0.peers.removeValue(forKey: peer.number) }
    }

    var count: Int { state.withLock { $0.peers.count } }

    /// Shuts down the connections of clients that are late. That happens under the lock, under which connections are
    /// forgotten before their descriptors are closed, so that no descriptor is of another connection by then.
    func shutDownLate() {
        let now = Peer.now
        state.withLock { state in
            for peer in state.peers.values where peer.isLate(at: now) {
                peer.expectNothing()
                shutdown(peer.descriptor, Int32(SHUT_RDWR))
            }
        }
    }
}
