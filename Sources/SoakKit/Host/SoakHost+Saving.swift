import Thumbwheel

extension SoakHost {
    private func compare(_ library: PhotoLibrary, _ model: LibraryModel) throws(SoakFailure) {
        let comparison = LibraryComparison(view: library, model: model, access: .full, names: libraryHost.names)
        try comparison.compareAll(&versions)
    }

    /// Saves the library, and loads it once more beside the one that goes on.
    func save() async throws(SoakFailure) {
        try await files.save(library, world.library, libraryHost.log)
        try compare(try await files.load(files.path, gate: gate), world.library)
        if let previous = files.previous {
            try compare(try await files.load(files.previousPath, gate: gate), previous.model)
        }
    }

    /// The service goes on with the library in the file. Where it did not end in order, all since the saving is lost.
    func restart(isOrderly: Bool) async throws(SoakFailure) {
        if isOrderly || files.saved == nil { try await save() }
        guard let saved = files.saved else { return }
        let loaded = try await files.load(files.path, gate: gate)
        try compare(loaded, saved.model)
        for user in users { endObservation(of: user) }
        departures.expect("the library that was left", library)
        libraryHost.replace(with: loaded, saved.log)
        let lost = world.library.items.map(\.number).filter { saved.model.item($0) == nil }
        world.library = saved.model
        world.library.noteDeparted(lost)
        for manager in managers { manager.observe(loaded) }
        for user in users {
            user.view = loaded.view(for: user.policy)
            // Points of what was lost are refused; all others stay good.
            let isLost = saved.log.hasLost(user.point)
            if isLost { try requireExpired(user.point, in: user.view) }
            if isLost || !libraryHost.log.reaches(user.point) { user.point = libraryHost.log.now }
            observe(user)
        }
    }

    private func requireExpired(_ point: ChangeLog.Point, in view: PhotoLibrary) throws(SoakFailure) {
        let seen: String
        do throws(PersistentChangeError) {
            seen = "\(try view.fetchPersistentChanges(since: point.token).count) changes"
        } catch {
            if error == .tokenExpired { return }
            seen = "\(error)"
        }
        throw SoakFailure(.history, expected: "an expired token of a lost change", seen: seen)
    }

    /// Damages a copy of the file. Loading it fails or gives all; recovering it gives what can be saved again.
    func damage(at place: Double, isCut: Bool) async throws(SoakFailure) {
        if files.saved == nil { try await save() }
        guard let saved = files.saved else { return }
        try files.damage(at: place, isCut: isCut)
        let loaded = try? await PhotoLibrary(loading: files.damagedPath, provider: LibraryFiles.resolver(gate))
        if let loaded { compareOrNote(loaded, saved.model) }
        await examineRecovery(of: saved)
        try complaints.check()
    }

    private func compareOrNote(_ library: PhotoLibrary, _ model: LibraryModel) {
        do throws(SoakFailure) {
            try compare(library, model)
        } catch {
            complaints.note(.file, expected: "a damaged file that is refused: \(error.expected)", seen: error.seen)
        }
    }

    private func examineRecovery(of saved: LibraryFiles.Saved) async {
        guard
            let recovery = try? await PhotoLibrary.recover(
                from: files.damagedPath, provider: LibraryFiles.resolver(gate))
        else { return }
        if recovery.report.isComplete { compareOrNote(recovery.library, saved.model) }
        if recovery.report.isVerified {
            let known = Set(saved.model.shownWithHidden(to: .full))
            let found = recovery.library.fetchAssets(with: FetchOptions(includeHiddenAssets: true))
            if let stranger = found.first(where: { !known.contains($0.identifier.soakNumber) }) {
                complaints.note(.file, expected: "assets that were saved", seen: "asset \(stranger)")
            }
        }
        do throws(LibraryFileError) {
            try await recovery.library.save(to: files.recoveredPath)
            let again = try await PhotoLibrary(
                loading: files.recoveredPath, provider: LibraryFiles.resolver(gate))
            let (one, other) = (recovery.library.fetchAssets(), again.fetchAssets())
            if one != other {
                complaints.note(.file, expected: "\(one.count) recovered assets", seen: "\(other.count)")
            }
        } catch {
            complaints.note(.file, expected: "a recovered library that can be saved and loaded", seen: "\(error)")
        }
    }
}
