import Thumbwheel

/// Draws steps from a seed and the world as it is expected to be.
package struct StepDrawer {
    package struct Limits: Sendable {
        package var assetCount: Int
        package var nodeCount: Int

        package init(assetCount: Int, nodeCount: Int) {
            self.assetCount = assetCount
            self.nodeCount = nodeCount
        }
    }

    package var random: SeededGenerator
    let limits: Limits

    package init(seed: UInt64, limits: Limits) {
        random = SeededGenerator(seed: seed)
        self.limits = limits
    }

    mutating func isOneIn(_ count: Int) -> Bool { random.index(below: count) == 0 }

    mutating func some<Item>(_ items: [Item]) -> Item? {
        items.isEmpty ? nil : items[random.index(below: items.count)]
    }

    mutating func some<Item>(_ items: [Item], upTo count: Int) -> [Item] {
        (0..<random.index(below: count) + 1).compactMap { _ in some(items) }
    }

    /// - Parameter world: changes only by the numbers that new pictures and collections take.
    package mutating func next(_ world: inout SoakWorld) -> SoakStep {
        let user = random.index(below: world.users.count)
        switch random.index(below: 1000) {
        case ..<330: return edit(&world, user)
        case ..<640: return request(world, user)
        case ..<690: return .scroll(random.unit(), user: user)
        case ..<730: return look(world, user)
        case ..<760: return access(world, user)
        case ..<790: return .window(isStarted: !isOneIn(3), user: user)
        case ..<820: return world.users[user].hasGrid && isOneIn(3) ? .closeGrid(user: user) : .openGrid(user: user)
        case ..<850: return .cancelRequests(user: user)
        case ..<870: return .cancelToken(user: user)
        case ..<890: return .setPriority(user: user)
        case ..<910:
            let pressure = isOneIn(2) ? .none : MemoryPressure.allCases[random.index(below: 5)]
            return .pressure(pressure, user: user)
        case ..<935: return .openGate
        case ..<950: return storm(world)
        case ..<965: return .forget(asset: some(world.library.items)?.number ?? 0, user: user)
        case ..<973: return .dropManager(user: user, isShutDown: isOneIn(2))
        case ..<988: return .save
        case ..<996: return .restart(isOrderly: !isOneIn(3))
        default: return .damage(place: random.unit(), isCut: isOneIn(3))
        }
    }

    private mutating func request(_ world: SoakWorld, _ user: Int) -> SoakStep {
        let shape = RequestShape(&random)
        guard let asset = some(world.library.shownWithHidden(to: world.users[user].access)) else {
            return look(world, user)
        }
        return .request(shape, asset: asset, user: user)
    }

    private mutating func look(_ world: SoakWorld, _ user: Int) -> SoakStep {
        .look(node: some(world.library.nodes.keys.sorted()) ?? LibraryModel.top, user: user)
    }

    private mutating func access(_ world: SoakWorld, _ user: Int) -> SoakStep {
        guard case .limited = world.users[user].access else { return look(world, user) }
        // Also numbers that the library may have later.
        let numbers = (0..<limits.assetCount * 2).filter { _ in isOneIn(3) }
        return .access(numbers, user: user, isObservedAnew: isOneIn(2))
    }

    private mutating func storm(_ world: SoakWorld) -> SoakStep {
        var parts: [[Int]] = [[], [], []]
        for number in world.library.items.map(\.number) {
            let part = random.index(below: 6)
            if part < parts.count { parts[part].append(number) }
        }
        return .storm(parts.map { Array($0.prefix(4)) })
    }
}
