/// The members of a transient list, which exists only in memory.
///
/// Transient lists may be nested to any depth. So `deinit` releases the inner lists one after another, rather than by
/// recursion. The class is unchecked because `deinit` writes `items`; at that time no other code holds the object.
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
