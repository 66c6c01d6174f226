/// The members of a transient list: a list of collections that exists only in memory.
///
/// Transient lists may be nested to any depth. So `deinit` destroys the inner lists in a loop, because recursion could
/// overflow the stack.
///
/// The class is unchecked `Sendable` because `items` is a variable. It is written only in `deinit`, when nothing else
/// refers to the object.
final class TransientItems: @unchecked Sendable {
    private(set) var items: [CollectionItem]

    init(_ items: [CollectionItem]) {
        self.items = items
    }

    deinit {
        var orphans = takeLists()
        while var list = orphans.popLast() {
            if isKnownUniquelyReferenced(&list) { orphans += list.takeLists() }
        }
    }

    private func takeLists() -> [TransientItems] {
        defer { items = [] }
        return items.compactMap { item in
            if case .folder(let list) = item, case .transient(let inner) = list.content { inner } else { nil }
        }
    }
}
