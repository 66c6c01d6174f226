import Foundation

/// An edit of an ordered list of members: the assets of an album or the collections of a folder. Indexes have the same
/// meaning as in PhotoKit; see <doc:Semantics#Editing-albums>.
struct MemberEdit<Member: Hashable & Sendable> {
    /// The reason why an edit is refused. The caller translates it into an error about assets or collections.
    enum Refusal: Error {
        case outOfRange(Int, count: Int)
        case countMismatch(indexes: Int, items: Int)
        case duplicate(Member)
    }

    private(set) var members: [Member]
    /// The members that the edit has inserted, or has moved to another position.
    private(set) var placed: Set<Member> = []
    /// The members that `add`, `insert` or `replace` has put into their places because the caller passed them. All
    /// other members of `placed` were put into their places by `move`.
    ///
    /// `merged(into:)` applies the edit to another list and needs the distinction. If that list lacks a member of
    /// `passedIn`, the member is added. If it lacks a member that `move` has moved, the member stays out.
    private var passedIn: Set<Member> = []
    /// The members that the edit has removed.
    private(set) var removed: Set<Member> = []
    /// For each replaced member, the member that now has its position.
    private var successors: [Member: Member] = [:]

    /// Makes an edit that has not changed the list yet.
    ///
    /// - Throws: `Refusal` if a member is in the list twice. `merged(into:)` finds members by their identity, so each
    ///   member may be in the list only once.
    init(_ members: [Member]) throws(Refusal) {
        var seen: Set<Member> = []
        for member in members where !seen.insert(member).inserted { throw .duplicate(member) }
        self.members = members
    }

    private mutating func notePlaced(passedIn items: [Member]) {
        placed.formUnion(items)
        passedIn.formUnion(items)
    }

    /// Appends the items that are not in the list. Items that are in the list keep their positions.
    mutating func add(_ items: [Member]) {
        var present = Set(members)
        let missing = items.filter { present.insert($0).inserted }
        members += missing
        notePlaced(passedIn: missing)
    }

    /// Inserts the items into the list. In the finished list, the first item is at the lowest index, the second item at
    /// the next one, and so on.
    mutating func insert(_ items: [Member], at indexes: IndexSet) throws(Refusal) {
        guard indexes.count == items.count else {
            throw .countMismatch(indexes: indexes.count, items: items.count)
        }
        var present = Set(members)
        for item in items where !present.insert(item).inserted { throw .duplicate(item) }
        var result: [Member] = []
        result.reserveCapacity(members.count + items.count)
        var rest = members[...]
        for (index, item) in zip(indexes, items) {
            guard index - result.count <= rest.count else {
                throw .outOfRange(index, count: members.count + items.count)
            }
            let kept = index - result.count
            result += rest.prefix(kept)
            rest = rest.dropFirst(kept)
            result.append(item)
        }
        members = result + rest
        notePlaced(passedIn: items)
    }

    mutating func remove(_ items: [Member]) {
        let unwanted = Set(items)
        removed.formUnion(members.filter { unwanted.contains($0) })
        members.removeAll { unwanted.contains($0) }
    }

    mutating func remove(at indexes: IndexSet) throws(Refusal) {
        try check(indexes)
        removed.formUnion(indexes.map { members[$0] })
        members = members.enumerated().filter { !indexes.contains($0.offset) }.map(\.element)
    }

    /// Replaces the members at some indexes with items. If an item was at another position in the list, it is removed
    /// from that position.
    mutating func replace(at indexes: IndexSet, with items: [Member]) throws(Refusal) {
        guard indexes.count == items.count else {
            throw .countMismatch(indexes: indexes.count, items: items.count)
        }
        try check(indexes)
        var seen: Set<Member> = []
        for item in items where !seen.insert(item).inserted { throw .duplicate(item) }
        removed.formUnion(indexes.map { members[$0] }.filter { !seen.contains($0) })
        var result: [Member] = []
        var next = 0
        for (offset, member) in members.enumerated() {
            if indexes.contains(offset) {
                successors[member] = items[next]
                result.append(items[next])
                next += 1
            } else if !seen.contains(member) {
                result.append(member)
            }
        }
        members = result
        notePlaced(passedIn: items)
    }

    /// Removes all members at `indexes`, then inserts them together at `target`. This position is counted in the list
    /// without these members.
    mutating func move(at indexes: IndexSet, to target: Int) throws(Refusal) {
        try check(indexes)
        let moved = indexes.map { members[$0] }
        var rest = members.enumerated().filter { !indexes.contains($0.offset) }.map(\.element)
        guard 0...rest.count ~= target else { throw .outOfRange(target, count: rest.count) }
        rest.insert(contentsOf: moved, at: target)
        members = rest
        placed.formUnion(moved)
    }

    private func check(_ indexes: IndexSet) throws(Refusal) {
        if let last = indexes.last, last >= members.count { throw .outOfRange(last, count: members.count) }
    }

    /// Applies this edit to the list `whole` and returns the result. `whole` differs from the list for which the edit
    /// was made: it is the same list in a later state, or it contains hidden members too.
    ///
    /// The inserted and moved members get their positions by these rules:
    /// - A member that `move` has moved is left out if it is not in `whole`.
    /// - A member that replaced another one gets the position that the replaced member has in `whole`, if it is there.
    /// - Any other inserted or moved member is put directly after its anchor. The anchor is the nearest member before
    ///   it in the edited list that has got its position from `whole`. If there is no anchor, the member is put at the
    ///   front.
    func merged(into whole: [Member]) -> [Member] {
        let kept = whole.compactMap { member in
            successors[member] ?? (removed.contains(member) || placed.contains(member) ? nil : member)
        }
        let present = Set(kept)
        let incoming = placed.intersection(passedIn.union(whole)).subtracting(present)
        var atFront: [Member] = []
        var followers: [Member: [Member]] = [:]
        var anchor: Member?
        for member in members {
            if incoming.contains(member) {
                if let anchor { followers[anchor, default: []].append(member) } else { atFront.append(member) }
            } else if present.contains(member) {
                anchor = member
            }
        }
        return atFront + kept.flatMap { [$0] + (followers[$0] ?? []) }
    }
}
