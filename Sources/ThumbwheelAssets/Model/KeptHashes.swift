import struct Synchronization.Atomic

/// How many thumb hashes the assets of this process have been given so far.
///
/// No transaction tells of a hash. Whoever keeps what was made of hashes finds out here whether there are new ones.
package enum KeptHashes {
    private static let counter = Atomic(0)

    package static var count: Int { counter.load(ordering: .acquiring) }

    static func add() { counter.add(1, ordering: .releasing) }
}
