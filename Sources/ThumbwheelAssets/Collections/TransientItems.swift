/// The members of a transient list.
///
/// Unchecked, because lists within lists are let go of one after another, and not by recursion: how deep they go is not
/// for us to say. `items` is written by a `deinit` alone, when nobody else has the object.
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
