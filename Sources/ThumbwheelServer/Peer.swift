import Glibc
import ThumbwheelCore

import struct Synchronization.Atomic

/// A connection, and the time at which its client must have got on: sent the header, or taken the response.
final class Peer: Sendable {
    let number: UInt64
    let descriptor: Int32
    /// In milliseconds of the monotonic clock; the largest number while nothing is expected.
    private let deadline = Atomic(Int.max)

    init(number: UInt64, descriptor: Int32) {
        (self.number, self.descriptor) = (number, descriptor)
    }

    /// Sets the time by which the client must have got on.
    func expect(within milliseconds: Int) {
        deadline.store(Self.now + milliseconds, ordering: .relaxed)
    }

    /// The milliseconds until then; nil while nothing is expected.
    var millisecondsLeft: Int? {
        let deadline = deadline.load(ordering: .relaxed)
        return deadline == .max ? nil : deadline - Self.now
    }

    /// Lets the client take any time: it waits for the service, or is between requests.
    func expectNothing() { deadline.store(.max, ordering: .relaxed) }

    /// Ends a connection whose response breaks off. libmicrohttpd counts it as closed then, but closes it only with the next
    /// event, so a client would wait until its idle time is over.
    func breakOff() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    func isLate(at time: Int) -> Bool { deadline.load(ordering: .relaxed) < time }

    static var now: Int { Int(MonotonicTime.now.milliseconds(since: start)) }

    private static let start = MonotonicTime.now
}
