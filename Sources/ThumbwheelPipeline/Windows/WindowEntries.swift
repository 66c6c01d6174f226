import ThumbwheelCaching

/// What one window tracks, by rendition and in the order in which it was started.
///
/// A plain value. Finding, adding and removing an entry take constant time, whatever the number, and so does finding the
/// oldest one: a long window is given up, or made for another quality, in pieces.
struct WindowEntries: Sendable {
    struct Entry: Sendable {
        let key: RenditionKey
        /// The rendition that is made for the entry: a cheaper one while high quality is switched off.
        var held: RenditionKey
        let work: RenderWork
        var urgency: Double
        /// Of the call that added the entry.
        let sequence: Int64
    }

    private var slots: [RenditionKey: Int] = [:]
    private var entries: [Entry?] = []
    private var freeSlots: [Int] = []
    /// One list for either setting of the quality switch, the newest entry first.
    private var order = LinkedSlots(listCount: 2)

    var count: Int { slots.count }

    /// All of them, in no order that means anything.
    var unordered: some Sequence<Entry> { entries.lazy.compactMap(\.self) }

    subscript(key: RenditionKey) -> Entry? { slots[key].flatMap { entries[$0] } }

    /// The one that was added first of those made for the setting of the quality switch.
    func oldest(allowingHighQuality allows: Bool) -> Entry? {
        order.last(of: allows ? 1 : 0).flatMap { entries[$0] }
    }

    /// - Precondition: there is no entry for its key.
    mutating func add(_ entry: Entry, allowingHighQuality allows: Bool) {
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = free
            entries[slot] = entry
        } else {
            slot = entries.count
            entries.append(entry)
            order.addSlot()
        }
        slots[entry.key] = slot
        order.linkFirst(slot, into: allows ? 1 : 0)
    }

    mutating func setUrgency(_ urgency: Double, of key: RenditionKey) {
        guard let slot = slots[key] else { return }
        entries[slot]!.urgency = urgency
    }

    /// The entry is from now on made as the other setting of the quality switch wants it.
    mutating func hold(_ held: RenditionKey, for key: RenditionKey, allowingHighQuality allows: Bool) {
        guard let slot = slots[key] else { return }
        entries[slot]!.held = held
        order.unlink(slot)
        order.linkFirst(slot, into: allows ? 1 : 0)
    }

    mutating func remove(_ key: RenditionKey) -> Entry? {
        guard let slot = slots.removeValue(forKey: key) else { return nil }
        order.unlink(slot)
        freeSlots.append(slot)
        defer {
            // Once the last entry is removed, frees the storage that many took.
            if slots.isEmpty, entries.count > PipelineState.keptCount { self = WindowEntries() }
        }
        return entries[slot].take()
    }
}
