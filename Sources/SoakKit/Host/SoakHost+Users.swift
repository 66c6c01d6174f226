import Thumbwheel

extension SoakHost {
    func observe(_ user: SoakUser) {
        let observer = SoakObserver("user \(user.number)", user.view, user.policy, complaints)
        user.observer = observer
        user.observedFrom = libraryHost.transactionCount
        user.observation = user.view.observeChanges { observer.observe($0) }
    }

    func endObservation(of user: SoakUser) {
        user.observation?.cancel()
        user.observer.end(at: libraryHost.transactionCount - user.observedFrom)
        departures.expect("the observer of user \(user.number)", user.observer)
        user.observation = nil
    }

    func setAccess(_ access: LibraryModel.Access, of user: SoakUser, isObservedAnew: Bool) {
        if isObservedAnew { endObservation(of: user) }
        world.users[user.number].access = access
        user.policy.set(access)
        if isObservedAnew { observe(user) }
    }

    /// The assets of a view as it is now, with what the model knows of each.
    private func contents(of user: SoakUser) -> (FetchResult<Asset>, [LibraryModel.Item]) {
        let numbers = world.library.shown(to: world.users[user.number].access)
        return (user.view.fetchAssets(), numbers.compactMap { world.library.item($0) })
    }

    func openGrid(of user: SoakUser) {
        let (assets, items) = contents(of: user)
        let place = manager(of: user)
        if let grid = user.grid {
            grid.show(assets, items)
        } else {
            user.grid = SoakGrid(user.caching, of: place.number, assets, items, complaints)
            world.users[user.number].hasGrid = true
        }
    }

    func closeGrid(of user: SoakUser) {
        if let grid = user.grid { departures.expect("a grid of user \(user.number)", grid) }
        user.grid = nil
        world.users[user.number].hasGrid = false
    }

    /// Replaces an image manager, and whatever its users had from it.
    func dropManager(_ index: Int, isShutDown: Bool) async {
        let former = managers[index]
        ledger.allow(.cancelled, forAllOf: former.number)
        managers[index] = makeManager()
        for user in users where user.number % managers.count == index {
            closeGrid(of: user)
            departures.expect("a caching manager of user \(user.number)", user.caching)
            user.caching = CachingImageManager(managers[index].manager)
            user.forgetRequests()
        }
        departures.expect("image manager \(former.number)", former.manager)
        if isShutDown { await shutDown(former.manager) }
    }

    /// A shutdown waits for renders that run, and these for providers that hang.
    private func shutDown(_ manager: ImageManager) async {
        let gate = gate
        let opening = Task {
            while !Task.isCancelled {
                gate.open()
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
        await manager.shutdown(graceful: false)
        opening.cancel()
    }
}
