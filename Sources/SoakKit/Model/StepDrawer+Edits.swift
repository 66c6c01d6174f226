import Thumbwheel

extension StepDrawer {
    mutating func edit(_ world: inout SoakWorld, _ user: Int) -> SoakStep {
        let library = world.library
        let numbers = library.items.map(\.number)
        let trashed = library.items.filter(\.isTrashed).map(\.number)
        let isCrowded = library.items.count >= limits.assetCount
        let edit: LibraryEdit
        if numbers.isEmpty { return .edit(upload(&world), user: user, pin: nil) }
        if library.nodes.count < 4 { return .edit(create(&world), user: user, pin: nil) }
        switch random.index(below: 100) {
        case ..<24 where !isCrowded: edit = upload(&world)
        case ..<32: edit = .trash(some(numbers, upTo: 3).uniqued())
        case ..<36: edit = .restore(some(trashed.isEmpty ? numbers : trashed, upTo: 2).uniqued())
        case ..<46: edit = .expunge(some(trashed.isEmpty ? numbers : trashed, upTo: isCrowded ? 6 : 2).uniqued())
        case ..<50: edit = .toggleFavorite(some(numbers) ?? 0)
        case ..<53: edit = .toggleHidden(some(numbers) ?? 0)
        case ..<60: edit = .adjust(some(numbers) ?? 0, world.takePicture(&random))
        case ..<63: edit = .revert(some(library.items.filter { $0.rendering != nil }.map(\.number) + numbers) ?? 0)
        case ..<67: edit = .replaceOriginal(some(numbers) ?? 0, source(&world))
        case ..<82: return editMembers(world, user)
        case ..<88: edit = create(&world)
        case ..<90: edit = .rename(someNode(library), "title \(random.index(below: 100))")
        case ..<92: edit = .delete(someNode(library))
        case ..<95: edit = .adopt(some(realNodes(library), upTo: 2).uniqued(), by: some(library.folders) ?? 0)
        default: return editChildren(world, user)
        }
        return .edit(edit, user: user, pin: nil)
    }

    private mutating func upload(_ world: inout SoakWorld) -> LibraryEdit {
        // Numbers come again after their assets were deleted for good, often at once, while the pictures that they had
        // are cached.
        let departed = world.library.departed.filter { world.library.item($0) == nil }
        let known = isOneIn(2) ? some(departed) : nil
        return .upload(known ?? random.index(below: limits.assetCount * 2), source(&world))
    }

    private mutating func source(_ world: inout SoakWorld) -> SoakSource {
        let picture = world.takePicture(&random)
        guard isOneIn(2) else { return SoakSource(picture) }
        let behavior = isOneIn(2) ? .honest : SoakSource.Behavior.allCases[random.index(below: 8)]
        return SoakSource(picture, .provider(behavior, isRemote: !isOneIn(4)))
    }

    private mutating func create(_ world: inout SoakWorld) -> LibraryEdit {
        let parent = some(world.library.folders) ?? LibraryModel.top
        if world.library.nodes.count > limits.nodeCount { return .delete(someNode(world.library)) }
        let node = world.takeNode()
        return isOneIn(3) ? .createFolder(node, in: parent) : .createAlbum(node, in: parent)
    }

    private func realNodes(_ library: LibraryModel) -> [Int] {
        library.nodes.keys.filter { $0 != LibraryModel.top }.sorted()
    }

    /// Not the top level, unless there is nothing else.
    private mutating func someNode(_ library: LibraryModel) -> Int { some(realNodes(library)) ?? LibraryModel.top }

    private mutating func indexes(below count: Int) -> [Int] {
        // Sometimes one too many.
        some(Array(0..<max(1, isOneIn(20) ? count + 1 : count)), upTo: 3).uniqued().sorted()
    }

    private mutating func editMembers(_ world: SoakWorld, _ user: Int) -> SoakStep {
        let seen = world.users[user].seenMembers
        let slot = seen.isEmpty || isOneIn(2) ? nil : random.index(below: seen.count)
        guard let album = slot.map({ seen[$0].node }) ?? some(world.library.albums) else { return .openGate }
        let numbers = world.library.items.map(\.number)
        let pinned = slot.map { seen[$0].list }
        let list = pinned ?? world.library.members(of: album, to: world.users[user].access)
        let edit: LibraryEdit
        switch random.index(below: 10) {
        case ..<4: edit = .add(some(numbers, upTo: 5).uniqued(), to: album)
        case ..<6:
            let place = random.index(below: list.count + 1)
            edit = .insert(some(numbers) ?? 0, into: album, at: place, pinned: pinned)
        case ..<9:
            let indexes = indexes(below: list.count)
            let target = random.index(below: max(1, list.count - indexes.count + 1))
            edit = .move(indexes, to: target, in: album, pinned: pinned)
        default: edit = .remove(indexes(below: list.count), from: album, pinned: pinned)
        }
        return .edit(edit, user: user, pin: slot.map { SoakStep.Pin(slot: $0, isOfMembers: true) })
    }

    private mutating func editChildren(_ world: SoakWorld, _ user: Int) -> SoakStep {
        let seen = world.users[user].seenChildren
        let slot = seen.isEmpty || isOneIn(2) ? nil : random.index(below: seen.count)
        let folder = slot.map { seen[$0].node } ?? some(world.library.folders) ?? LibraryModel.top
        let pinned = slot.map { seen[$0].list }
        let list = pinned ?? world.library.nodes[folder]?.children ?? []
        let indexes = indexes(below: list.count)
        let target = random.index(below: max(1, list.count - indexes.count + 1))
        let edit: LibraryEdit =
            isOneIn(4) && folder != LibraryModel.top
            ? .removeChildren(indexes, from: folder, pinned: pinned)
            : .moveChildren(indexes, to: target, in: folder, pinned: pinned)
        return .edit(edit, user: user, pin: slot.map { SoakStep.Pin(slot: $0, isOfMembers: false) })
    }
}

extension Array where Element: Hashable {
    /// The elements without repetitions, in their order.
    func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
