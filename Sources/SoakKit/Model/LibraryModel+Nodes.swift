extension LibraryModel {
    mutating func editNodes(_ edit: LibraryEdit) throws(Refusal) -> LibraryDifference {
        var difference = LibraryDifference()
        switch edit {
        case .createAlbum(let node, let parent): try create(node, isFolder: false, in: parent, &difference)
        case .createFolder(let node, let parent): try create(node, isFolder: true, in: parent, &difference)
        case .rename(let node, let title):
            guard let before = nodes[node] else { throw .unknownCollection(node) }
            nodes[node]?.title = title
            if before.title != title { difference.updatedNodes = [node] }
        case .delete(let node):
            guard let record = nodes[node] else { throw .unknownCollection(node) }
            let gone = descendants(of: node)
            nodes[record.parent]?.children.removeAll { $0 == node }
            for node in gone { nodes[node] = nil }
            difference.deletedNodes = gone
            difference.updatedNodes = [record.parent]
        case .adopt(let children, let folder):
            try editChildren(of: folder, naming: children, nil, &difference) { list throws(Refusal) in
                list.append(children)
            }
        case .moveChildren(let indexes, let target, let folder, let pinned):
            try editChildren(of: folder, naming: [], pinned, &difference) { list throws(Refusal) in
                try list.move(indexes, to: target)
            }
        case .removeChildren(let indexes, let folder, let pinned):
            try editChildren(of: folder, naming: [], pinned, &difference) { list throws(Refusal) in
                try list.remove(indexes)
            }
        default: throw .other("no edit of a collection")
        }
        difference.movesTop = difference.updatedNodes.remove(Self.top) != nil
        return difference
    }

    private mutating func create(
        _ node: Int, isFolder: Bool, in parent: Int, _ difference: inout LibraryDifference
    ) throws(Refusal) {
        guard nodes[parent] != nil else { throw .unknownCollection(parent) }
        nodes[node] = Node(title: "\(node)", parent: parent, isFolder: isFolder)
        nodes[parent]?.children.append(node)
        difference.insertedNodes = [node]
        difference.updatedNodes = [parent]
    }

    private mutating func editChildren(
        of folder: Int, naming children: [Int], _ pinned: [Int]?, _ difference: inout LibraryDifference,
        _ body: (inout PinnedList) throws(Refusal) -> Void
    ) throws(Refusal) {
        guard let before = nodes[folder]?.children else { throw .unknownCollection(folder) }
        let above = ancestors(of: folder)
        for child in children {
            guard nodes[child] != nil else { throw .unknownCollection(child) }
            if above.contains(child) { throw .cyclicFolder(child) }
        }
        var list = PinnedList(pinned ?? before)
        try body(&list)
        let after = list.applied(to: before)
        if after == before { return }
        let left = before.filter { !after.contains($0) }
        if folder == Self.top, let first = left.first { throw .notInAFolder(first) }
        nodes[folder]?.children = after
        difference.updatedNodes.insert(folder)
        for child in after where !before.contains(child) {
            guard let old = nodes[child]?.parent else { continue }
            nodes[old]?.children.removeAll { $0 == child }
            nodes[child]?.parent = folder
            difference.updatedNodes.formUnion([child, old])
        }
        for child in left {
            nodes[child]?.parent = Self.top
            nodes[Self.top]?.children.append(child)
            difference.updatedNodes.insert(child)
        }
    }
}
