/// A set of paths. All paths at and below a folder can be removed without looking at any other path.
struct PathTree: Sendable {
    private var paths: Set<FilePath> = []
    /// The items of each folder that are in the set, or that lead to a path in the set.
    private var items: [FilePath: Set<FilePath>] = [:]
    /// The number of paths that removals of folders have looked at. Tests read it.
    private(set) var visitCount = 0

    init() {}

    var isEmpty: Bool { paths.isEmpty }

    func contains(_ path: FilePath) -> Bool { paths.contains(path) }

    mutating func insert(_ path: FilePath) {
        guard paths.insert(path).inserted else { return }
        var item = path
        while let folder = item.folder, items[folder, default: []].insert(item).inserted { item = folder }
    }

    mutating func remove(_ path: FilePath) {
        if paths.remove(path) != nil { unlink(path) }
    }

    /// Removes the path of a folder and all paths below it, and returns those that were in the set, in no particular
    /// order.
    ///
    /// - Complexity: linear in the number of paths at and below the folder.
    @discardableResult
    mutating func removeAll(atOrBelow folder: FilePath) -> [FilePath] {
        if paths.isEmpty { return [] }
        var removed: [FilePath] = []
        var pending = [folder]
        while let path = pending.popLast() {
            visitCount += 1
            if paths.remove(path) != nil { removed.append(path) }
            if let below = items.removeValue(forKey: path) { pending += below }
        }
        unlink(folder)
        return removed
    }

    /// Removes a path from the items of its folder, and the folder from those of its own folder, unless they are in the
    /// set or lead to another path in the set.
    private mutating func unlink(_ path: FilePath) {
        var item = path
        while !paths.contains(item), items[item] == nil, let folder = item.folder,
            items[folder]?.remove(item) != nil
        {
            if items[folder]?.isEmpty == true { items[folder] = nil }
            item = folder
        }
    }
}
