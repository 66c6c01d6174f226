import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelScheduling

// MARK: Caching windows

extension PipelineState {
    package mutating func addWindow() -> Int { windows.open() }

    /// The number of open caching windows.
    package var windowCount: Int { windows.count }

    package mutating func removeWindow(_ window: Int, at now: MonotonicTime) {
        stopCachingAll(in: window, at: now)
        windows.close(window)
    }

    /// Adds renditions to a caching window, which is a list of renditions to have ready. If a rendition is already in
    /// the window, only its urgency changes. If the asset has been edited, the window may still contain the rendition
    /// of the picture before the edit. The new rendition then replaces that one.
    package mutating func startCaching(
        _ wishes: [WindowWish], in window: Int, at now: MonotonicTime
    ) {
        guard phase == .open, let allowsHighQuality = windows.allowsHighQuality(in: window) else { return }
        for wish in wishes {
            let (key, work, urgency) = (wish.key, wish.work, JobRank.ordered(wish.urgency))
            guard work.remoteByteCount == nil || configuration.fetchLimit > 0 else { continue }
            if let entry = windows.entry(ignoringPictureOf: key, in: window) {
                if entry.key == key {
                    guard entry.urgency != urgency else { continue }
                    apply(windows.setUrgency(urgency, of: entry, in: window), to: entry)
                    continue
                }
                removeEntry(entry.key, from: window)
            }
            let entry = WindowEntries.Entry(
                key: key, rendition: preferredKey(for: key, allowsHighQuality: allowsHighQuality), work: work,
                urgency: urgency, sequence: requests.nextSequence())
            apply(windows.add(entry, to: window, readyByteCount: store.byteCount(of: entry.rendition)), to: entry)
        }
        dispatch(at: now)
    }

    /// Removes renditions from a caching window. A rendition is found even if its key in `keys` has another picture of
    /// the asset, because the program that uses this library may have fetched the asset again after an edit.
    package mutating func stopCaching(_ keys: [RenditionKey], in window: Int, at now: MonotonicTime) {
        for key in keys {
            if let entry = windows.entry(endedBy: key, in: window) { removeEntry(entry.key, from: window) }
        }
        dispatch(at: now)
    }

    /// Removes entries (wanted images) from a caching window. Entries that were made while the window allowed high
    /// quality are removed first, then all others. In each of these two groups, the oldest entries go first.
    ///
    /// - Parameter limit: the number of entries that this call may remove.
    /// - Returns: true if the window is empty now; false if another call has to remove more entries.
    @discardableResult
    package mutating func stopCachingAll(in window: Int, atMost limit: Int = .max, at now: MonotonicTime) -> Bool {
        var count = 0
        while let entry = windows.oldestEntry(of: window), count < limit {
            count += 1
            removeEntry(entry.key, from: window)
        }
        dispatch(at: now)
        return windows.count(of: window) == 0
    }

    /// Sets whether a caching window prepares the renditions of high-quality requests, or only those of `.fast`
    /// requests.
    ///
    /// - Returns: true if all entries (wanted images) of the window have been changed; false if `adjustQuality` has to
    ///   be called to change more of them.
    @discardableResult
    package mutating func setAllowsHighQuality(
        _ allows: Bool, in window: Int, atMost limit: Int = .max, at now: MonotonicTime
    ) -> Bool {
        windows.setAllowsHighQuality(allows, in: window)
        return adjustQuality(in: window, atMost: limit, at: now)
    }

    /// Adapts the entries (wanted images) that a caching window had before its `allowsHighQuality` changed. From now
    /// on, each entry asks for the rendition that the setting allows.
    ///
    /// - Parameter limit: the number of entries that this call may change.
    /// - Returns: true if all entries have been changed; false if another call has to change more of them.
    package mutating func adjustQuality(in window: Int, atMost limit: Int = .max, at now: MonotonicTime) -> Bool {
        guard let allows = windows.allowsHighQuality(in: window) else { return true }
        var count = 0
        while let entry = windows.oldestEntryToAdjust(in: window), count < limit {
            count += 1
            var changed = entry
            changed.rendition = preferredKey(for: entry.key, allowsHighQuality: allows)
            windows.adjust(entry, to: changed.rendition, in: window)
            guard changed.rendition != entry.rendition else { continue }
            // The new rendition is marked as wanted by the window before the old rendition is unmarked. So the window
            // wants at least one of the two at any time.
            apply(windows.addWish(for: changed, of: window, store.byteCount(of: changed.rendition)), to: changed)
            removeWish(for: entry, of: window)
        }
        dispatch(at: now)
        return windows.oldestEntryToAdjust(in: window) == nil
    }

    private mutating func removeEntry(_ key: RenditionKey, from window: Int) {
        guard let entry = windows.removeEntry(key, from: window) else { return }
        emit(.release(.work(entry.work)))
        removeWish(for: entry, of: window)
    }

    private mutating func removeWish(for entry: WindowEntries.Entry, of window: Int) {
        apply(windows.removeWish(for: entry, of: window, store.byteCount(of: entry.rendition)), to: entry)
    }

    /// Acts on a change of an entry's rendition: caching windows now want it, no longer want it, or want it with
    /// another urgency. A rendition that is cached is marked as wanted or as not wanted. For a rendition that is not
    /// cached, a job is added, moved in the order of work, or dropped.
    private mutating func apply(_ change: WindowBoard.Change?, to entry: WindowEntries.Entry) {
        let key = entry.rendition
        switch change {
        case .wanted(let rank):
            if store.contains(key) {
                store.setWanted(true, key)
            } else if let job = renders[key] {
                updateRank(of: job)
            } else {
                addJob(for: key, work: entry.work, rank: rank)
            }
        case .ranked: if let job = renders[key] { updateRank(of: job) }
        case .unwanted:
            if store.contains(key) {
                store.setWanted(false, key)
            } else if let job = renders[key] {
                updateRank(of: job)
            }
        case nil: break
        }
    }

    /// The summaries of all caching windows (each the list of images that one caching manager wants ready), in the
    /// order in which the windows were opened.
    package var cachingWindows: [CachingWindow] { windows.numbers.compactMap { windows.summary(of: $0) } }

    /// The summary of one caching window; nil if the window is closed.
    package func cachingWindow(_ window: Int) -> CachingWindow? { windows.summary(of: window) }

    private func preferredKey(for key: RenditionKey, allowsHighQuality: Bool) -> RenditionKey {
        allowsHighQuality || store.contains(key) ? key : key.with(.fast)
    }

    // MARK: Forgetting assets

    /// Removes all cached renditions of the given assets, even those that receivers hold, and removes these assets'
    /// images from all caching windows. Images that requests wait for are still delivered, but do not enter the cache.
    package mutating func forget(_ assets: some Sequence<AssetIdentifier>, at now: MonotonicTime) {
        for asset in assets {
            let cachedKeys = store.keys(of: asset)
            for key in cachedKeys + renders.jobs(of: asset).map({ renders[$0].key }) { removeFromWindows(key) }
            for key in cachedKeys { noteDeparted(store.remove(key)) }
            // Looks the asset's jobs up again, because some of the jobs found above have ended in the meantime: no
            // caching manager wants them any more.
            renders.forbidCaching(of: asset)
            refusals.forget(asset)
        }
        dispatch(at: now)
    }

    /// Removes the entries of an image from all caching windows. An entry stands for an image that a caching manager
    /// wants, and has the key of the rendition that is made for it.
    ///
    /// - Parameter key: the key of the rendition. All entries for which this rendition is made are removed. A window
    ///   that does not allow high quality makes the `.fast` rendition even for an entry that asks for high quality, so
    ///   such entries are removed as well.
    private mutating func removeFromWindows(_ key: RenditionKey) {
        for window in windows.windows(wanting: key) {
            for asked in [key, key.with(.high)] where windows.entry(asked, in: window)?.rendition == key {
                removeEntry(asked, from: window)
            }
        }
    }
}
