import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore

extension ModelRun {
    private mutating func someFolder() -> Int {
        let folders = reference.children.keys.sorted()
        return folders[random.index(below: folders.count)]
    }

    private mutating func someIndexes(below count: Int) -> IndexSet {
        var indexes = IndexSet()
        if count > 0 { for _ in 0...random.index(below: 2) { indexes.insert(random.index(below: count)) } }
        return indexes
    }

    /// One edit of the tree, by any of the index forms.
    mutating func folderOperation(_ changes: inout LibraryTransaction) throws {
        let folder = someFolder()
        // Nil for the top level.
        let place = nodes[folder]
        var list = reference.children[folder] ?? []
        let above = Set(reference.children.keys.filter { reference.descendants(of: $0).contains(folder) })
        let elsewhere = nodes.keys.sorted().filter { !list.contains($0) && !above.contains($0) && $0 != folder }
        let newcomers = elsewhere.filter { _ in random.index(below: 4) == 0 }
        func references(_ numbers: [Int]) -> [any CollectionReference] { numbers.compactMap { nodes[$0] } }
        switch random.index(below: 8) {
        case 0, 1:
            guard nodes.count < 12 else { return }
            nodes[nextNode] = try changes.createFolder(title: "\(nextNode)", in: place)
            reference.setChildren(of: folder, to: list + [nextNode])
            reference.children[nextNode] = []
            nextNode += 1
        case 2:
            guard let place, reference.descendants(of: folder).isDisjoint(with: [0, 1]) else { return }
            try changes.deleteCollections([place])
            for node in reference.descendants(of: folder) { nodes[node] = nil }
            reference.deleteNode(folder)
        case 3:
            try changes.addChildCollections(references(newcomers + list.prefix(1)), to: place)
            reference.setChildren(of: folder, to: list + newcomers)
        case 4:
            let indexes = newcomers.reduce(into: IndexSet()) { indexes, _ in
                indexes.insert(random.index(below: list.count + 1))
            }
            let placed = Array(newcomers.prefix(indexes.count))
            try changes.insertChildCollections(references(placed), into: place, at: indexes)
            for (index, node) in zip(indexes, placed) { list.insert(node, at: index) }
            reference.setChildren(of: folder, to: list)
        case 5:
            guard let place else { return }
            let indexes = someIndexes(below: list.count)
            try changes.removeChildCollections(at: indexes, from: place)
            for index in indexes.reversed() { list.remove(at: index) }
            reference.setChildren(of: folder, to: list)
        case 6:
            let indexes = someIndexes(below: list.count)
            guard let place, indexes.count == newcomers.count else { return }
            try changes.replaceChildCollections(at: indexes, in: place, with: references(newcomers))
            for (index, node) in zip(indexes, newcomers) { list[index] = node }
            reference.setChildren(of: folder, to: list)
        default:
            let indexes = someIndexes(below: list.count)
            let moved = indexes.map { list[$0] }
            for index in indexes.reversed() { list.remove(at: index) }
            let target = random.index(below: list.count + 1)
            try changes.moveChildCollections(at: indexes, to: target, in: place)
            list.insert(contentsOf: moved, at: target)
            reference.setChildren(of: folder, to: list)
        }
    }

    func compareFolders(_ place: Comment) throws {
        let folders = Dictionary(uniqueKeysWithValues: library.fetchCollectionLists().map { ($0.identifier, $0) })
        try #require(folders.count == reference.children.count - 1, place)
        for (number, children) in reference.children {
            let expected = children.compactMap { nodes[$0]?.identifier }
            let found: FetchResult<CollectionItem>
            if let node = nodes[number] {
                found = library.fetchCollections(in: try #require(folders[node.identifier], place))
            } else {
                found = library.fetchTopLevelUserCollections()
            }
            try #require(found.map(\.identifier) == expected, place)
            for child in children {
                let parents = library.fetchCollectionListsContaining(try #require(nodes[child], place))
                try #require(parents.map(\.identifier) == [nodes[number]?.identifier].compactMap(\.self), place)
            }
        }
    }
}
