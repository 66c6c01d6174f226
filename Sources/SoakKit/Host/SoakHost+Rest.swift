import Thumbwheel

extension SoakHost {
    /// Checks that are cheap enough for after every step.
    func look(at user: SoakUser) throws(SoakFailure) {
        let comparison = comparison(for: user)
        try comparison.compareAssets()
        let nodes = world.library.nodes.keys.sorted()
        try comparison.compare(node: nodes[stepCount % nodes.count])
        let items = world.library.items
        if !items.isEmpty { try comparison.compare(items[stepCount % items.count], &versions) }
        let log = libraryHost.log
        guard log.reaches(user.point) else {
            user.point = log.now
            return
        }
        try log.check(user.view, since: user.point) { user.policy.sees($0) }
        if stepCount.isMultiple(of: 7) { user.point = log.now }
    }

    /// Lets everything that goes on come to its end, and looks for what is left.
    func rest() async throws {
        watchdog.begin("the rest after step \(stepCount)")
        try await wait(.lostEnd) { self.ledger.oldest }
        try await wait(.observer) { self.lateObserver }
        for user in users { await user.grid?.settle() }
        try await wait(.lostEnd) { self.blankGrid }
        try await wait(.table) { self.busyManager ?? self.fullToken }
        try await wait(.leak) { self.departures.remaining().first }
        for user in users {
            try comparison(for: user).compareAssets()
            guard let numbers = user.observer.numbers else { continue }
            let expected = world.library.shown(to: world.users[user.number].access)
            if numbers != expected {
                throw SoakFailure(.observer, expected: "user \(user.number): \(expected)", seen: "\(numbers)")
            }
        }
        try LibraryComparison(view: library, model: world.library, access: .full, names: libraryHost.names)
            .compareAll(&versions)
        forgetNames()
    }

    /// Waits until `obstacle` is nil, with all gates open.
    private func wait(_ rule: SoakFailure.Rule, until obstacle: () -> String?) async throws {
        let end = ContinuousClock.now + settings.patience / 2
        watchdog.begin("\(rule.rawValue), at the rest after step \(stepCount)")
        while true {
            try complaints.check()
            guard let text = obstacle() else { return }
            guard ContinuousClock.now < end else {
                throw SoakFailure(rule, expected: "an end of what goes on at rest", seen: text)
            }
            gate.open()
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    private var lateObserver: String? {
        users.first { user in
            user.observer.transactionCount != libraryHost.transactionCount - user.observedFrom
        }.map { user in
            let expected = libraryHost.transactionCount - user.observedFrom
            return "user \(user.number) was told of \(user.observer.transactionCount) transactions of \(expected)"
        }
    }

    private var blankGrid: String? {
        for user in users {
            guard let blank = user.grid?.blankItems, !blank.isEmpty else { continue }
            return "the grid of user \(user.number) shows nothing of assets \(blank)"
        }
        return nil
    }

    private var busyManager: String? {
        for place in managers {
            let liveCount = place.manager.statistics.liveRequestCount
            if liveCount > 0 { return "\(liveCount) live requests of manager \(place.number)" }
            if let broken = place.manager.pipeline.read({ $0.brokenInvariant }) {
                return "manager \(place.number): \(broken)"
            }
        }
        return nil
    }

    /// All requests have ended, and a token that lives on keeps nothing of them.
    private var fullToken: String? {
        for user in users {
            let count = user.connectionToken.handlerCount + user.pageToken.handlerCount
            if count > 0 { return "the tokens of user \(user.number) keep \(count) handlers" }
        }
        return nil
    }

    /// Whatever no present or saved library has, and nobody has seen.
    private func forgetNames() {
        var nodes = Set(world.library.nodes.keys)
        for saved in [files.saved, files.previous] { nodes.formUnion(saved?.model.nodes.keys.map(\.self) ?? []) }
        for user in world.users {
            for seen in user.seenMembers + user.seenChildren { nodes.formUnion([seen.node] + seen.list) }
        }
        libraryHost.names.keep(nodes)
    }

    /// Gives up what can be made again and what users have kept, so that what is left is what the service needs, and
    /// measures that.
    ///
    /// - Parameter place: how much of the run is over.
    func calm(at place: Double) {
        for user in users {
            user.forgetAll()
            closeGrid(of: user)
            // The result that an observer follows keeps a version of the library, however old.
            endObservation(of: user)
            observe(user)
            user.caching.stopCachingImagesForAllAssets()
            (world.users[user.number].seenMembers, world.users[user.number].seenChildren) = ([], [])
        }
        for manager in managers.map(\.manager) {
            manager.setMemoryPressure(.critical)
            manager.setMemoryPressure(.none)
        }
        AllocatorStatistics().returnFreePages()
        memory.sample(at: place)
    }
}
