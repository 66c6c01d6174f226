import ThumbwheelCore
import ThumbwheelScheduling

/// The lists of images that caching managers want to have ready, and for each rendition the managers that want it. The
/// list of one manager is called a window, and an image in the list is called an entry.
///
/// This type knows nothing of cached images and renders. The caller of a mutating method says how many bytes the
/// rendition takes in the cache. The method returns whether any window still wants the rendition, and whether the
/// rendition's urgency has changed.
struct WindowBoard: Sendable {
    /// The window of one caching manager: the images that the manager wants to have ready.
    private struct Window {
        var allowsHighQuality = true
        var entries = WindowEntries()
        /// The number and the bytes of the window's images that are in the cache.
        var readyCount = 0
        var readyByteCount = 0
    }

    /// The effect of a changed caching window on one rendition: whether any window wants the rendition now, and how
    /// urgently.
    enum Change {
        /// A rendition has become wanted: no caching window wanted it before.
        case wanted(rank: JobRank)
        /// A rendition is now wanted more urgently or less urgently.
        case ranked
        /// No caching window wants the rendition any more.
        case unwanted
    }

    private var windows: [Int: Window] = [:]
    private var demands: [RenditionKey: WindowDemand] = [:]
    private var lastNumber = 0

    // MARK: Opening, closing and describing windows

    mutating func open() -> Int {
        lastNumber += 1
        windows[lastNumber] = Window()
        return lastNumber
    }

    /// Closes a caching window, whose number is not used again.
    ///
    /// - Precondition: the window has no entries (wanted images).
    mutating func close(_ window: Int) {
        windows[window] = nil
    }

    /// The number of open caching windows.
    var count: Int { windows.count }

    /// The numbers of the open caching windows, in the order in which they were opened.
    var numbers: [Int] { windows.keys.sorted() }

    /// The number of entries (wanted images) of a caching window.
    func count(of window: Int) -> Int { windows[window]?.entries.count ?? 0 }

    /// Whether a caching window wants the renditions of high-quality requests; nil if the window is closed.
    func allowsHighQuality(in window: Int) -> Bool? { windows[window]?.allowsHighQuality }

    mutating func setAllowsHighQuality(_ allows: Bool, in window: Int) {
        change(window) { $0.allowsHighQuality = allows }
    }

    func summary(of window: Int) -> CachingWindow? {
        windows[window].map {
            CachingWindow(
                imageCount: $0.entries.count, readyCount: $0.readyCount, readyByteCount: $0.readyByteCount,
                allowsHighQuality: $0.allowsHighQuality)
        }
    }

    // MARK: The images that a window wants

    func entry(_ key: RenditionKey, in window: Int) -> WindowEntries.Entry? { windows[window]?.entries[key] }

    /// The window's entry (wanted image) that differs from `key` at most in its picture; nil if there is none. The
    /// pictures differ if the asset was edited after the entry was added: the entry names the picture from before the
    /// edit, and `key` the one from after it.
    func entry(ignoringPictureOf key: RenditionKey, in window: Int) -> WindowEntries.Entry? {
        windows[window]?.entries.entry(ignoringPictureOf: key)
    }

    /// The window's entry (wanted image) that has to be removed when the program that uses this library stops caching
    /// `key`; nil if there is none.
    func entry(endedBy key: RenditionKey, in window: Int) -> WindowEntries.Entry? {
        windows[window]?.entries.entry(endedBy: key)
    }

    /// The entry (wanted image) that is removed first when a caching window is emptied: the oldest among the entries
    /// whose rendition was chosen while the window allowed high quality. If there are none, it is the oldest of all
    /// entries.
    func oldestEntry(of window: Int) -> WindowEntries.Entry? {
        guard let entries = windows[window]?.entries else { return nil }
        return entries.oldest(allowingHighQuality: true) ?? entries.oldest(allowingHighQuality: false)
    }

    /// The oldest entry (wanted image) whose rendition was chosen before the window's `allowsHighQuality` last changed;
    /// nil if there is none. Its rendition may have to be chosen again.
    func oldestEntryToAdjust(in window: Int) -> WindowEntries.Entry? {
        windows[window].flatMap { $0.entries.oldest(allowingHighQuality: !$0.allowsHighQuality) }
    }

    /// Adds an entry (wanted image) to a caching window.
    ///
    /// - Parameter readyByteCount: the number of bytes of the rendition's cached image; nil if it is not in the cache.
    mutating func add(_ entry: WindowEntries.Entry, to window: Int, readyByteCount: Int?) -> Change? {
        guard let allows = allowsHighQuality(in: window) else { return nil }
        change(window) { $0.entries.add(entry, allowingHighQuality: allows) }
        return addWish(for: entry, of: window, readyByteCount)
    }

    mutating func setUrgency(_ urgency: Double, of entry: WindowEntries.Entry, in window: Int) -> Change? {
        change(window) { $0.entries.setUrgency(urgency, of: entry.key) }
        let (old, new) = (WindowDemand.Wish(window, entry.urgency), WindowDemand.Wish(window, urgency))
        return changeDemand(entry.rendition) { $0.replace(old, by: new) } ? .ranked : nil
    }

    /// Replaces the rendition that is made for an entry (wanted image). If the new rendition differs from the old one,
    /// the caller must also call `addWish` for the new one and `removeWish` for the old one.
    ///
    /// - Parameter rendition: the new rendition.
    mutating func adjust(_ entry: WindowEntries.Entry, to rendition: RenditionKey, in window: Int) {
        guard let allows = allowsHighQuality(in: window) else { return }
        change(window) { $0.entries.setRendition(rendition, of: entry.key, allowingHighQuality: allows) }
    }

    /// Removes an entry (wanted image) from a caching window.
    ///
    /// - Returns: the removed entry; nil if there was none.
    mutating func removeEntry(_ key: RenditionKey, from window: Int) -> WindowEntries.Entry? {
        var removed: WindowEntries.Entry?
        change(window) { removed = $0.entries.remove(key) }
        return removed
    }

    // MARK: Wanted renditions and their urgency

    /// The rank (place in the order of work) that caching windows give to the job for a rendition. Nil if no window
    /// wants the rendition. Requests for the rendition are not considered.
    func rank(of key: RenditionKey) -> JobRank? { demands[key]?.rank }

    func isWanted(_ key: RenditionKey) -> Bool { demands[key] != nil }

    /// The numbers of the caching windows that want a rendition. If the rendition is made for several entries (wanted
    /// images) of a window, the window's number is listed once for each of them.
    func windows(wanting key: RenditionKey) -> [Int] { demands[key]?.wishes.map(\.window) ?? [] }

    /// Records that a caching window wants the rendition that is made for an entry (wanted image).
    ///
    /// - Parameter readyByteCount: the number of bytes of the rendition's cached image; nil if it is not in the cache.
    mutating func addWish(for entry: WindowEntries.Entry, of window: Int, _ readyByteCount: Int?) -> Change? {
        if let readyByteCount { countReady(1, readyByteCount, in: window) }
        let wish = WindowDemand.Wish(window, entry.urgency)
        if demands[entry.rendition] != nil { return changeDemand(entry.rendition) { $0.add(wish) } ? .ranked : nil }
        let rank = JobRank(
            priority: .prefetch, stage: .final, isSpeculative: true,
            isStoppable: entry.work.isStoppable(for: entry.rendition.kind), urgency: entry.urgency,
            sequence: entry.sequence)
        demands[entry.rendition] = WindowDemand(wish, rank: rank)
        return .wanted(rank: rank)
    }

    /// Records that a caching window no longer wants the rendition that is made for an entry (wanted image).
    ///
    /// - Parameter readyByteCount: the number of bytes of the rendition's cached image; nil if it is not in the cache.
    mutating func removeWish(for entry: WindowEntries.Entry, of window: Int, _ readyByteCount: Int?) -> Change? {
        if let readyByteCount { countReady(-1, -readyByteCount, in: window) }
        let isChanged = changeDemand(entry.rendition) { $0.remove(WindowDemand.Wish(window, entry.urgency)) }
        guard let demand = demands[entry.rendition] else { return nil }
        guard demand.wishes.isEmpty else { return isChanged ? .ranked : nil }
        demands[entry.rendition] = nil
        return .unwanted
    }

    /// Counts a rendition that has entered or left the cache, in each caching window that wants the rendition.
    mutating func noteReady(_ key: RenditionKey, isReady: Bool, byteCount: Int) {
        guard let demand = demands[key] else { return }
        for wish in demand.wishes { countReady(isReady ? 1 : -1, isReady ? byteCount : -byteCount, in: wish.window) }
    }

    private mutating func countReady(_ count: Int, _ byteCount: Int, in window: Int) {
        change(window) {
            $0.readyCount += count
            $0.readyByteCount += byteCount
        }
    }

    // The first method below is the only code that changes elements of `windows` in place. The second method is the
    // only code that changes elements of `demands` in place. A dictionary's accessor is inlined only if it has a single
    // caller, and an accessor that is not inlined allocates memory at each call.

    private mutating func change(_ window: Int, _ body: (inout Window) -> Void) {
        if let index = windows.index(forKey: window) { body(&windows.values[index]) }
    }

    /// Changes the record of the windows that want a rendition.
    ///
    /// - Returns: the result of `body`; false if no window wants the rendition.
    private mutating func changeDemand(_ key: RenditionKey, _ body: (inout WindowDemand) -> Bool) -> Bool {
        guard let index = demands.index(forKey: key) else { return false }
        return body(&demands.values[index])
    }

    /// Frees the storage of the board if no window wants anything and the storage is large.
    ///
    /// - Returns: the number of renditions that the freed storage had room for; 0 if nothing was freed.
    mutating func shrink() -> Int {
        let count = demands.capacity
        guard demands.isEmpty, count > PipelineState.keptCapacity else { return 0 }
        demands = [:]
        return count
    }
}

// MARK: Invariants

extension WindowBoard {
    /// Throws if the counts of a window or the records of wanted renditions are wrong.
    ///
    /// - Parameter readyByteCount: returns the number of bytes of a rendition's cached image; nil if it is not in the
    ///   cache.
    func checkInvariants(readyByteCount: (RenditionKey) -> Int?) throws(BrokenInvariant) {
        var urgencies: [RenditionKey: [Double]] = [:]
        for window in windows.values {
            let entries = Array(window.entries.unordered)
            let ready = entries.compactMap { readyByteCount($0.rendition) }
            try BrokenInvariant.require(
                entries.count == window.entries.count && ready.count == window.readyCount
                    && ready.reduce(0, +) == window.readyByteCount, "a window's entries miscounted")
            for entry in entries { urgencies[entry.rendition, default: []].append(entry.urgency) }
        }
        try BrokenInvariant.require(
            urgencies.count == demands.count
                && urgencies.allSatisfy { key, urgencies in
                    demands[key].map { $0.wishes.map(\.urgency).sorted() == urgencies.sorted() } ?? false
                        && demands[key]?.rank.urgency == urgencies.min()
                }, "the demands do not add up")
    }
}
