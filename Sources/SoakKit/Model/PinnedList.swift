/// An edit by the positions of a list that somebody has seen, done to the list as it is now.
///
/// Members that the edit puts somewhere follow the member that they follow in the seen list. Members that it only moves,
/// and that are in the present list no more, stay away. The rest of the present list stays as it is.
struct PinnedList {
    let seen: [Int]
    /// The seen list after the edit.
    private(set) var wanted: [Int]
    private var moved: Set<Int> = []
    private var named: Set<Int> = []
    private var removed: Set<Int> = []

    init(_ seen: [Int]) {
        self.seen = seen
        wanted = seen
    }

    mutating func append(_ members: [Int]) {
        let missing = members.filter { !wanted.contains($0) }
        wanted += missing
        named.formUnion(missing)
    }

    mutating func insert(_ member: Int, at index: Int) throws(Refusal) {
        guard !wanted.contains(member) else { throw .duplicateAsset(member) }
        guard index <= wanted.count else { throw .outOfRange }
        wanted.insert(member, at: index)
        named.insert(member)
    }

    /// - Parameter target: counted without the members that are moved.
    mutating func move(_ indexes: [Int], to target: Int) throws(Refusal) {
        let picked = try pick(indexes)
        guard target <= wanted.count else { throw .outOfRange }
        wanted.insert(contentsOf: picked, at: target)
        moved.formUnion(picked)
    }

    mutating func remove(_ indexes: [Int]) throws(Refusal) {
        removed.formUnion(try pick(indexes))
    }

    private mutating func pick(_ indexes: [Int]) throws(Refusal) -> [Int] {
        let indexes = Set(indexes).sorted()
        if let last = indexes.last, last >= wanted.count { throw .outOfRange }
        let picked = indexes.map { wanted[$0] }
        wanted.removeAll { picked.contains($0) }
        return picked
    }

    /// The present list after the edit.
    func applied(to present: [Int]) -> [Int] {
        var list = present.filter { !removed.contains($0) && !moved.contains($0) && !named.contains($0) }
        var previous: Int?
        for member in wanted {
            if named.contains(member) || (moved.contains(member) && present.contains(member)) {
                let place = previous.flatMap { list.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
                list.insert(member, at: place)
                previous = member
            } else if list.contains(member) {
                previous = member
            }
        }
        return list
    }
}
