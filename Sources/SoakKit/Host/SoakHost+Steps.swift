import Foundation
import Thumbwheel

extension SoakHost {
    func perform(_ step: SoakStep) async throws {
        switch step {
        case .edit(let edit, let user, let pin): try perform(edit, users[user], pin)
        case .storm(let parts): try await storm(parts)
        case .look(let node, let user): try look(at: node, by: users[user])
        case .access(let numbers, let user, let isObservedAnew):
            setAccess(.limited(Set(numbers)), of: users[user], isObservedAnew: isObservedAnew)
        case .request(let shape, let asset, let user): try request(shape, asset, by: users[user])
        case .cancelToken(let user): cancelToken(of: users[user])
        case .cancelRequests(let user): cancelRequests(of: users[user])
        case .setPriority(let user):
            for (id, ticket) in users[user].requests {
                let priority = RequestPriority.allCases[ticket % RequestPriority.allCases.count]
                manager(of: users[user]).manager.setPriority(priority, urgency: Double(ticket % 5), of: id)
            }
        case .window(let isStarted, let user): window(isStarted, users[user])
        case .openGrid(let user): openGrid(of: users[user])
        case .scroll(let position, let user): users[user].grid?.scroll(to: position)
        case .closeGrid(let user): closeGrid(of: users[user])
        case .pressure(let pressure, let user): manager(of: users[user]).manager.setMemoryPressure(pressure)
        case .dropManager(let user, let isShutDown):
            await dropManager(users[user].number % managers.count, isShutDown: isShutDown)
        case .openGate: gate.open()
        case .forget(let asset, let user):
            manager(of: users[user]).manager.forgetImages(of: [AssetIdentifier(soak: asset)])
        case .save: try await save()
        case .restart(let isOrderly): try await restart(isOrderly: isOrderly)
        case .damage(let place, let isCut): try await damage(at: place, isCut: isCut)
        }
    }

    private func perform(_ edit: LibraryEdit, _ user: SoakUser, _ pin: SoakStep.Pin?) throws(SoakFailure) {
        try libraryHost.perform(
            edit, through: user.view, world.users[user.number].access, pinnedTo: pin.map { user.seen[$0] },
            &world.library)
    }

    /// Threads edit at the same time, each other assets: whatever the order, every asset ends up as it was, or toggled.
    private func storm(_ parts: [[Int]]) async throws {
        let library = library
        let rounds = 3
        await withTaskGroup(of: Void.self) { group in
            for part in parts {
                group.addTask {
                    for number in part {
                        for _ in 0..<rounds {
                            _ = try? await library.performChanges { changes in
                                try changes.edit(AssetIdentifier(soak: number)) { $0.isFavorite.toggle() }
                            }
                        }
                    }
                }
            }
        }
        for number in parts.joined() { world.library.toggle(number, rounds: rounds) }
        try libraryHost.stormed(parts.joined().count * rounds)
        for user in users { user.point = libraryHost.log.now }
    }

    private func look(at node: Int, by user: SoakUser) throws(SoakFailure) {
        guard let record = world.library.nodes[node] else { return }
        let comparison = comparison(for: user)
        try comparison.compare(node: node)
        world.look(at: node, user: user.number)
        if record.isFolder {
            user.seen.keep(comparison.children(of: node))
        } else {
            user.seen.keep(comparison.members(of: node))
        }
    }

    func comparison(for user: SoakUser) -> LibraryComparison {
        LibraryComparison(
            view: user.view, model: world.library, access: world.users[user.number].access, names: libraryHost.names)
    }

    private func request(_ shape: RequestShape, _ number: Int, by user: SoakUser) throws(SoakFailure) {
        guard let item = world.library.item(number),
            let asset = user.view.asset(withIdentifier: AssetIdentifier(soak: number))
        else { throw SoakFailure(.contents, expected: "asset \(number) for user \(user.number)", seen: "none") }
        let fresh = SoakUser.KeptAsset(asset: asset, item: item)
        let kept = shape.isStale ? user.kept.first ?? fresh : fresh
        user.keep(asset, item)
        traffic.submit(shape, kept, by: user, on: manager(of: user))
    }

    private func cancelToken(of user: SoakUser) {
        // Any of the user's requests may have been given it.
        ledger.allow(.cancelled, forAllOf: manager(of: user).number)
        user.pageToken.cancel()
        user.pageToken = CancellationToken()
    }

    private func cancelRequests(of user: SoakUser) {
        let manager = manager(of: user)
        for (id, ticket) in user.requests {
            ledger.allow(.cancelled, for: ticket)
            manager.manager.cancelImageRequest(id)
        }
        for (task, ticket) in user.tasks {
            ledger.allow(.cancelled, for: ticket)
            task.cancel()
        }
        user.forgetRequests()
    }

    private func window(_ isStarted: Bool, _ user: SoakUser) {
        let assets = user.view.fetchAssets()
        let side = PixelSize(width: 24, height: 24)
        let options = ImageRequestOptions {
            $0.resizeMode = .exact
            $0.isNetworkAccessAllowed = stepCount.isMultiple(of: 2)
        }
        if isStarted {
            user.caching.startCachingImages(for: assets, targetSize: side, contentMode: .aspectFill, options: options)
        } else if stepCount.isMultiple(of: 3) {
            user.caching.stopCachingImagesForAllAssets()
        } else {
            user.caching.stopCachingImages(for: assets, targetSize: side, contentMode: .aspectFill, options: options)
        }
        user.caching.allowsCachingHighQualityImages = !stepCount.isMultiple(of: 5)
    }
}
