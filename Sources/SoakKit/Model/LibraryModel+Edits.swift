extension LibraryModel {
    /// Does one transaction, or nothing where it must be refused.
    ///
    /// - Parameter access: that of the user who makes the transaction.
    /// - Returns: the objects that it touched.
    package mutating func apply(_ edit: LibraryEdit, by access: Access) throws(Refusal) -> LibraryDifference {
        var changed = self
        let difference = try changed.perform(edit, access)
        self = changed
        return difference
    }

    /// An asset's favorite was toggled so often.
    package mutating func toggle(_ number: Int, rounds: Int) {
        if !rounds.isMultiple(of: 2) { change(number) { $0.isFavorite.toggle() } }
    }

    private mutating func perform(_ edit: LibraryEdit, _ access: Access) throws(Refusal) -> LibraryDifference {
        switch edit {
        case .upload, .replaceOriginal, .toggleFavorite, .toggleHidden, .adjust, .revert, .trash, .restore, .expunge:
            try editAssets(edit, access)
        case .add(let numbers, let album):
            try editMembers(of: album, naming: numbers, access, nil) { list, unseen throws(Refusal) in
                list.append(numbers.filter { !unseen.contains($0) })
            }
        case .insert(let number, let album, let index, let pinned):
            try editMembers(of: album, naming: [number], access, pinned) { list, _ throws(Refusal) in
                try list.insert(number, at: index)
            }
        case .move(let indexes, let target, let album, let pinned):
            try editMembers(of: album, naming: [], access, pinned) { list, _ throws(Refusal) in
                try list.move(indexes, to: target)
            }
        case .remove(let indexes, let album, let pinned):
            try editMembers(of: album, naming: [], access, pinned) { list, _ throws(Refusal) in
                try list.remove(indexes)
            }
        case .createAlbum, .createFolder, .rename, .delete, .adopt, .moveChildren, .removeChildren:
            try editNodes(edit)
        }
    }

    /// The asset that a user may change.
    private func changeable(_ number: Int, _ access: Access) throws(Refusal) -> Item {
        guard let item = item(number), access.sees(number) else { throw .unknownAsset(number) }
        return item
    }

    private mutating func editAssets(_ edit: LibraryEdit, _ access: Access) throws(Refusal) -> LibraryDifference {
        var difference = LibraryDifference()
        switch edit {
        case .upload(let number, let source):
            guard item(number) == nil else { throw .duplicateAsset(number) }
            append(Item(number: number, original: source))
            difference.insertedAssets = [number]
        case .replaceOriginal(let number, let source):
            _ = try changeable(number, access)
            change(number) { $0.original = source }
            difference.updatedAssets = [number]
        case .toggleFavorite(let number):
            _ = try changeable(number, access)
            change(number) { $0.isFavorite.toggle() }
            difference.updatedAssets = [number]
        case .toggleHidden(let number):
            _ = try changeable(number, access)
            change(number) { $0.isHidden.toggle() }
            difference.updatedAssets = [number]
        case .adjust(let number, let picture):
            _ = try changeable(number, access)
            change(number) { $0.rendering = picture }
            difference.updatedAssets = [number]
        case .revert(let number):
            guard try changeable(number, access).rendering != nil else { throw .notAdjusted(number) }
            change(number) { $0.rendering = nil }
            difference.updatedAssets = [number]
        case .trash(let numbers):
            for number in numbers {
                if try changeable(number, access).isTrashed { continue }
                change(number) { $0.isTrashed = true }
                difference.updatedAssets.insert(number)
            }
        case .restore(let numbers):
            try requireTrashed(numbers, access)
            for number in numbers { change(number) { $0.isTrashed = false } }
            difference.updatedAssets = Set(numbers)
        case .expunge(let numbers):
            try requireTrashed(numbers, access)
            removeItems(Set(numbers))
            difference.deletedAssets = Set(numbers)
        default: throw .other("no edit of an asset")
        }
        return difference
    }

    private func requireTrashed(_ numbers: [Int], _ access: Access) throws(Refusal) {
        for number in numbers {
            guard try changeable(number, access).isTrashed else { throw .notRecentlyDeleted(number) }
        }
    }

    private mutating func editMembers(
        of album: Int, naming numbers: [Int], _ access: Access, _ pinned: [Int]?,
        _ body: (inout PinnedList, Set<Int>) throws(Refusal) -> Void
    ) throws(Refusal) -> LibraryDifference {
        guard let node = nodes[album] else { throw .unknownCollection(album) }
        for number in numbers { _ = try changeable(number, access) }
        if let gone = pinned?.first(where: { item($0) == nil }) { throw .unknownAsset(gone) }
        let seen = pinned ?? members(of: album, to: access)
        var list = PinnedList(seen)
        try body(&list, Set(node.members).subtracting(seen))
        let after = list.applied(to: node.members)
        var difference = LibraryDifference()
        if after != node.members {
            difference.updatedNodes = [album]
        } else if node.hasGhosts {
            difference.possiblyUpdatedNode = album
        }
        nodes[album]?.members = after
        return difference
    }
}
