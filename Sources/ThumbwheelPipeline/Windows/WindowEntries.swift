import ThumbwheelAssets
import ThumbwheelCaching

/// The entries of one caching window (the images that a caching manager wants to have ready). An entry is found by its
/// `key`. The entries are in the order in which they were added or last changed to another quality.
///
/// A window has at most one entry for one image version (such as current or original) of one asset, rendered in one
/// way. So `entry(ignoringPictureOf:)` finds an entry even after its asset has been edited, although the entry's key
/// names the picture from before the edit.
///
/// The type is a plain value. Finding, adding and removing an entry take constant time on average, whatever the number
/// of entries. Finding the oldest entry also takes constant time. That matters because a long window is emptied, or
/// changed to another quality, in many calls, and each call begins at the oldest entry.
struct WindowEntries: Sendable {
    struct Entry: Sendable {
        let key: RenditionKey
        /// The rendition that the cache is to have for the entry. It is `key` if the window allows high quality, or if
        /// the cache had that rendition already. Otherwise it is the cheaper rendition that `.fast` requests for the
        /// same image get.
        var rendition: RenditionKey
        let work: RenderWork
        var urgency: Double
        /// The entry's number in the order of arrival. Requests and window entries are numbered together.
        let sequence: Int64
    }

    /// An entry in compact form, which takes a fifth of the bytes of `Entry`. A window may have a hundred thousand
    /// entries. An entry has two keys, `key` and `rendition`, for the same picture of the same asset. So the row stores
    /// `key`, and of `rendition` only the other properties, as `renditionForm`.
    private struct Row: SlotRow {
        let key: CompactKey
        var renditionForm: RenditionForm
        let work: RenderWork
        var urgency: Double
        /// The sequence number of the entry; `Int64.min` in a vacant row.
        let sequence: Int64

        static let vacant = Row(
            key: .vacant, renditionForm: CompactKey.vacant.form, work: .nothing, urgency: 0, sequence: .min)
        var isVacant: Bool { sequence == .min }

        func isOfAsset(of key: RenditionKey) -> Bool { work.asset.identifier == key.subject.asset }

        var entry: Entry {
            let asset = work.asset.identifier
            return Entry(
                key: key.key(of: asset), rendition: key.with(renditionForm).key(of: asset), work: work,
                urgency: urgency, sequence: sequence)
        }
    }

    private var rows = SlotPages<Row>()
    private var keys = SlotIndex()
    private var slotCount = 0
    private var freeSlots: [Int32] = []
    /// Two lists of the entries, with the latest addition at the front of each. List 1 contains the entries whose
    /// rendition was chosen while the window allowed high quality. List 0 contains all other entries.
    private var order = LinkedSlots(listCount: 2)
    private var forms = RenditionForms()
    private var predictions = RenderPredictions()

    var count: Int { rows.count }

    /// All entries, in no meaningful order.
    var unordered: some Sequence<Entry> { rows.values.lazy.map(\.entry) }

    subscript(key: RenditionKey) -> Entry? { slot(of: key).map { rows[$0].entry } }

    /// The entry that differs from `key` at most in its picture; nil if there is none. The pictures differ if the asset
    /// was edited after the entry was added: the entry names the picture from before the edit, and `key` the one from
    /// after it.
    func entry(ignoringPictureOf key: RenditionKey) -> Entry? { slot(ignoringPictureOf: key).map { rows[$0].entry } }

    /// The entry (wanted image) to remove when the program that uses this library stops caching `key`. It is the entry
    /// for the same asset, the same image version (such as current or original) and the same rendering. If there is
    /// none, it is an entry for another image version that shows the same picture as `key`.
    ///
    /// For example, an entry was added for the current image, and then the asset was edited. The entry shows the
    /// picture from before the edit, which is now the original. So it is removed when the program stops caching the
    /// original.
    func entry(endedBy key: RenditionKey) -> Entry? {
        let slot =
            slot(ignoringPictureOf: key)
            ?? keys.first(hash: key.hashIgnoringPicture) {
                rows[$0].isOfAsset(of: key) && rows[$0].key.matchesIgnoringVersion(key)
            }
        return slot.map { rows[$0].entry }
    }

    /// The oldest entry (wanted image) of one of the two lists; nil if the list is empty.
    ///
    /// - Parameter allows: true for the list of the entries whose rendition was chosen while the window allowed high
    ///   quality; false for the list of all other entries.
    func oldest(allowingHighQuality allows: Bool) -> Entry? {
        order.last(of: allows ? 1 : 0).map { rows[$0].entry }
    }

    /// Adds an entry (wanted image).
    ///
    /// - Parameter allows: whether the window allows high quality.
    /// - Precondition: the window has no entry for the asset, image version (such as current or original) and rendering
    ///   of `entry`. The properties `work` and `key` of `entry` are of the same asset.
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
                key: CompactKey(entry.key, in: forms.form(of: entry.key)),
                renditionForm: forms.form(of: entry.rendition),
                work: RenderWork(asset: entry.work.asset, predictions.shared(entry.work.prediction)),
                urgency: entry.urgency, sequence: entry.sequence),
            at: slot)
        keys.insert(slot, hash: entry.key.hashIgnoringPicture)
        order.linkFirst(slot, into: allows ? 1 : 0)
    }

    mutating func setUrgency(_ urgency: Double, of key: RenditionKey) {
        guard let slot = slot(of: key) else { return }
        rows[slot].urgency = urgency
    }

    /// Sets the rendition that is made for an entry (wanted image).
    ///
    /// - Parameter allows: whether the window allows high quality at present. The entry is moved to the list for that
    ///   value.
    mutating func setRendition(_ rendition: RenditionKey, of key: RenditionKey, allowingHighQuality allows: Bool) {
        guard let slot = slot(of: key) else { return }
        rows[slot].renditionForm = forms.form(of: rendition)
        order.unlink(slot)
        order.linkFirst(slot, into: allows ? 1 : 0)
    }

    mutating func remove(_ key: RenditionKey) -> Entry? {
        guard let slot = slot(of: key) else { return nil }
        let entry = rows[slot].entry
        keys.remove(slot, hash: key.hashIgnoringPicture)
        rows.remove(at: slot)
        order.unlink(slot)
        freeSlots.append(Int32(slot))
        // Frees the storage after the removal of the last entry, if the storage is large.
        if rows.count == 0, slotCount > PipelineState.keptCapacity { self = WindowEntries() }
        return entry
    }

    private func slot(of key: RenditionKey) -> Int? {
        keys.first(hash: key.hashIgnoringPicture) { rows[$0].isOfAsset(of: key) && rows[$0].key.matches(key) }
    }

    private func slot(ignoringPictureOf key: RenditionKey) -> Int? {
        keys.first(hash: key.hashIgnoringPicture) {
            rows[$0].isOfAsset(of: key) && rows[$0].key.matchesIgnoringPicture(key)
        }
    }
}
