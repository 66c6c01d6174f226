import ThumbwheelAssets
import ThumbwheelCaching

/// The entries of one caching window (the images that a caching manager wants to have ready), found by rendition and
/// ordered by the time at which they were added.
///
/// A window has at most one entry for each wish of its host: for one version of one asset, rendered in one way. So an
/// entry can also be found by the asset as it was fetched after an edit, although the entry's key has the picture from
/// before the edit.
///
/// The type is a plain value. Finding, adding and removing an entry take constant time on average, whatever the number
/// of entries. So does finding the oldest entry. A long window is emptied, or changed to another quality, in many
/// calls, and each call begins by finding the oldest entry.
struct WindowEntries: Sendable {
    struct Entry: Sendable {
        let key: RenditionKey
        /// The rendition that is made for the entry: that of `key` or, while the window allows no high quality, the
        /// cheaper one of `.fast` requests.
        var held: RenditionKey
        let work: RenderWork
        var urgency: Double
        /// The entry's number in the order of arrival. Requests and window entries are numbered together.
        let sequence: Int64
    }

    /// An entry in compact form, with a fifth of the bytes of `Entry`, because a window may have a hundred thousand
    /// entries. Of the rendition `held`, only the form is stored (the key without asset and picture number). The rest
    /// of its key is the same as in `key`, because both renditions show the same picture.
    private struct Row: SlotRow {
        let key: CompactKey
        var heldForm: RenditionForm
        let work: RenderWork
        var urgency: Double
        /// The sequence number of the entry; `Int64.min` in a vacant row.
        let sequence: Int64

        static let vacant = Row(
            key: .vacant, heldForm: CompactKey.vacant.form, work: .nothing, urgency: 0, sequence: .min)
        var isVacant: Bool { sequence == .min }

        func isOfAsset(of key: RenditionKey) -> Bool { work.asset.identifier == key.subject.asset }

        var entry: Entry {
            let asset = work.asset.identifier
            return Entry(
                key: key.key(of: asset), held: key.with(heldForm).key(of: asset), work: work, urgency: urgency,
                sequence: sequence)
        }
    }

    private var rows = SlotPages<Row>()
    private var keys = SlotIndex()
    private var slotCount = 0
    private var freeSlots: [Int32] = []
    /// Two lists of entries, each with the newest entry first: list 1 for entries made while high quality was allowed,
    /// list 0 for the others.
    private var order = LinkedSlots(listCount: 2)
    private var forms = RenditionForms()
    private var predictions = RenderPredictions()

    var count: Int { rows.count }

    /// All entries, in no meaningful order.
    var unordered: some Sequence<Entry> { rows.values.lazy.map(\.entry) }

    subscript(key: RenditionKey) -> Entry? { slot(of: key).map { rows[$0].entry } }

    /// The entry for the same wish as `key`, perhaps with another picture of the asset.
    func entry(forWishOf key: RenditionKey) -> Entry? { slot(ofWish: key).map { rows[$0].entry } }

    /// The entry (wanted image) that is removed when the host stops caching `key`: the one for the same wish. If there
    /// is none, the one of the same picture is removed, which may have been added as another version before the asset
    /// was edited.
    func entry(endedBy key: RenditionKey) -> Entry? {
        let slot =
            slot(ofWish: key)
            ?? keys.first(hash: key.hashOfWish) {
                rows[$0].isOfAsset(of: key) && rows[$0].key.isPicture(of: key)
            }
        return slot.map { rows[$0].entry }
    }

    /// The oldest entry (wanted image) that was made with high quality allowed; if `allows` is false, the oldest that
    /// was made without.
    func oldest(allowingHighQuality allows: Bool) -> Entry? {
        order.last(of: allows ? 1 : 0).map { rows[$0].entry }
    }

    /// - Precondition: there is no entry for the wish of `entry`, and its work is for the key's asset.
    mutating func add(_ entry: Entry, allowingHighQuality allows: Bool) {
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = Int(free)
        } else {
            slot = slotCount
            slotCount += 1
            order.addSlot()
        }
        rows.insert(
            Row(
                key: CompactKey(entry.key, in: forms.form(of: entry.key)), heldForm: forms.form(of: entry.held),
                work: RenderWork(asset: entry.work.asset, predictions.shared(entry.work.prediction)),
                urgency: entry.urgency, sequence: entry.sequence),
            at: slot)
        keys.insert(slot, hash: entry.key.hashOfWish)
        order.linkFirst(slot, into: allows ? 1 : 0)
    }

    mutating func setUrgency(_ urgency: Double, of key: RenditionKey) {
        guard let slot = slot(of: key) else { return }
        rows[slot].urgency = urgency
    }

    /// Changes the rendition that is made for an entry (wanted image). Moves the entry to the list for the given
    /// setting: high quality allowed or not.
    mutating func hold(_ held: RenditionKey, for key: RenditionKey, allowingHighQuality allows: Bool) {
        guard let slot = slot(of: key) else { return }
        rows[slot].heldForm = forms.form(of: held)
        order.unlink(slot)
        order.linkFirst(slot, into: allows ? 1 : 0)
    }

    mutating func remove(_ key: RenditionKey) -> Entry? {
        guard let slot = slot(of: key) else { return nil }
        let entry = rows[slot].entry
        keys.remove(slot, hash: key.hashOfWish)
        rows.remove(at: slot)
        order.unlink(slot)
        freeSlots.append(Int32(slot))
        // Once the last entry is removed, the storage is freed if it is large.
        if rows.count == 0, slotCount > PipelineState.keptCount { self = WindowEntries() }
        return entry
    }

    private func slot(of key: RenditionKey) -> Int? {
        keys.first(hash: key.hashOfWish) { rows[$0].isOfAsset(of: key) && rows[$0].key.isKey(key) }
    }

    private func slot(ofWish key: RenditionKey) -> Int? {
        keys.first(hash: key.hashOfWish) { rows[$0].isOfAsset(of: key) && rows[$0].key.isWish(of: key) }
    }
}
