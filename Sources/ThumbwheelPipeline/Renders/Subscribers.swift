import ThumbwheelScheduling

/// The requests that wait for a job, in order of arrival, and the most urgent rank (place in the order of work) among
/// them.
///
/// Most jobs have one subscriber, which takes one word here. If there are a few subscribers, they are in a list, and
/// their ranks are looked up on demand. If there are more than `fewCount`, they are called a crowd, and their ranks are
/// in a heap. A subscriber of a crowd can join, leave or change its rank in time logarithmic in the number of
/// subscribers.
struct Subscribers: Sendable {
    private struct Group {
        /// The subscribers in order of arrival. In a crowd, a subscriber that has left is replaced by `nobody`.
        var ids: [ImageRequestID]
        var crowd: Crowd?

        var count: Int { crowd?.places.count ?? ids.count }
    }

    private struct Crowd {
        /// The ranks of the subscribers. The heap knows each subscriber by its index in `ids`.
        var ranks = RankHeap()
        var places: [ImageRequestID: Int] = [:]
    }

    private static let nobody = ImageRequestID(rawValue: 0)
    private static let fewCount = 8

    /// The only subscriber; `nobody` if there is none, or more than one.
    private var only = nobody
    private var group = Rare<Group>()

    init() {}

    init(_ id: ImageRequestID) {
        only = id
    }

    var count: Int { group.value?.count ?? (only == Self.nobody ? 0 : 1) }
    var isEmpty: Bool { count == 0 }

    /// The subscribers in order of arrival. Going through them allocates nothing.
    var inOrder: InOrder { InOrder(only: only, ids: group.value?.ids ?? []) }

    /// The most urgent rank among the subscribers, if they are a crowd; otherwise nil, because the ranks of a few
    /// subscribers are not stored.
    var leastRankOfCrowd: JobRank? { group.value?.crowd?.ranks.first?.rank }

    /// - Parameter rank: looks up the rank of a subscriber. It is called only if there are, or will be now, so many
    ///   subscribers that their ranks are stored.
    mutating func append(_ id: ImageRequestID, rank: (ImageRequestID) -> JobRank) {
        guard group.isPresent else {
            if only == Self.nobody {
                only = id
            } else {
                group = Rare(Group(ids: [only, id]))
                only = Self.nobody
            }
            return
        }
        guard group.present.crowd != nil else {
            group.present.ids.append(id)
            if group.present.ids.count > Self.fewCount { gather(rank) }
            return
        }
        // The list is rebuilt when it is full of former subscribers: their `nobody` entries outnumber the subscribers
        // by at least `fewCount`.
        if group.present.ids.count >= 2 * group.present.count + Self.fewCount {
            group.present.ids = Array(inOrder)
            gather(rank)
        }
        let place = group.present.ids.count
        group.present.crowd!.ranks.insert(place, rank: rank(id))
        group.present.crowd!.places[id] = place
        group.present.ids.append(id)
    }

    /// - Returns: whether `id` was among the subscribers.
    mutating func remove(_ id: ImageRequestID) -> Bool {
        guard group.isPresent else {
            guard only == id, id != Self.nobody else { return false }
            only = Self.nobody
            return true
        }
        if group.present.crowd != nil {
            guard let place = group.present.crowd!.places.removeValue(forKey: id) else { return false }
            group.present.crowd!.ranks.remove(place)
            group.present.ids[place] = Self.nobody
        } else {
            guard let index = group.present.ids.firstIndex(of: id) else { return false }
            group.present.ids.remove(at: index)
        }
        if group.present.count == 0 { group.remove() }
        return true
    }

    /// Records the new rank of a subscriber, if there are so many subscribers that their ranks are stored. Otherwise
    /// does nothing.
    mutating func setRank(_ rank: JobRank, of id: ImageRequestID) {
        guard let place = group.value?.crowd?.places[id] else { return }
        group.present.crowd!.ranks.setRank(rank, of: place)
    }

    func contains(_ id: ImageRequestID) -> Bool {
        guard let group = group.value else { return only == id && id != Self.nobody }
        return group.crowd.map { $0.places[id] != nil } ?? group.ids.contains(id)
    }

    private mutating func gather(_ rank: (ImageRequestID) -> JobRank) {
        var crowd = Crowd()
        for (place, id) in group.present.ids.enumerated() {
            crowd.ranks.insert(place, rank: rank(id))
            crowd.places[id] = place
        }
        group.present.crowd = crowd
    }
}

extension Subscribers {
    /// The subscribers of a job in order of arrival.
    struct InOrder: Sequence, IteratorProtocol {
        fileprivate var only: ImageRequestID
        fileprivate let ids: [ImageRequestID]
        private var place = 0

        fileprivate init(only: ImageRequestID, ids: [ImageRequestID]) {
            self.only = only
            self.ids = ids
        }

        mutating func next() -> ImageRequestID? {
            if only != Subscribers.nobody {
                defer { only = Subscribers.nobody }
                return only
            }
            while place < ids.count {
                defer { place += 1 }
                if ids[place] != Subscribers.nobody { return ids[place] }
            }
            return nil
        }
    }
}
