/// All albums and folders by identifier, divided into a fixed number of dictionaries (shards). The table is a value.
/// Two copies of it share a shard until a transaction changes the shard in one of them.
struct CollectionTable: Sendable {
    private static let shardCount = 256

    private var shards: [[CollectionIdentifier: CollectionRecord]] = []
    private(set) var nextSequence: UInt64 = 1
    private(set) var root = CollectionRecord(
        identifier: .root, subtype: CollectionList.Subtype.regularFolder.rawValue, title: nil, parent: .root,
        sequence: 0, changeNumber: 0)

    private static func shard(_ identifier: CollectionIdentifier) -> Int {
        Int(truncatingIfNeeded: identifier.low & UInt64(shardCount - 1))
    }

    subscript(identifier: CollectionIdentifier) -> CollectionRecord? {
        get {
            if identifier == .root { return root }
            return shards.isEmpty ? nil : shards[Self.shard(identifier)][identifier]
        }
        set {
            if identifier == .root {
                if let newValue { root = newValue }
                return
            }
            if shards.isEmpty { shards = Array(repeating: [:], count: Self.shardCount) }
            shards[Self.shard(identifier)][identifier] = newValue
        }
    }

    /// Changes a record in place. If the record were taken out and stored again, each change of a folder would copy the
    /// folder's list of members, and a series of changes would take quadratic time.
    mutating func update(_ identifier: CollectionIdentifier, _ body: (inout CollectionRecord) -> Void) {
        if identifier == .root {
            body(&root)
        } else if !shards.isEmpty {
            let shard = Self.shard(identifier)
            guard let index = shards[shard].index(forKey: identifier) else { return }
            body(&shards[shard].values[index])
        }
    }

    /// Replaces the row numbers in all albums. `place` returns the new number of a row, or nil if the row is removed.
    mutating func renumberRows(_ place: (UInt32) -> UInt32?) {
        for shard in shards.indices {
            for index in shards[shard].values.indices {
                shards[shard].values[index].rows = shards[shard].values[index].rows.compactMap(place)
            }
        }
    }

    mutating func takeSequence() -> UInt64 {
        defer { nextSequence += 1 }
        return nextSequence
    }

    mutating func setNextSequence(_ sequence: UInt64) { nextSequence = sequence }

    /// The records of all albums and folders, in the order in which they were made. The top level, which is stored as a
    /// folder, is not included.
    var records: [CollectionRecord] {
        shards.flatMap(\.values).sorted { $0.sequence < $1.sequence }
    }
}
