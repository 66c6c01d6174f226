import ThumbwheelScheduling

/// Several requests that wait for one job, in order of arrival.
///
/// The ranks (places in the order of work) of a few subscribers are looked up on demand. A group that has ever had more
/// than `crowdThreshold` subscribers is called a crowd. A crowd stores its ranks in a heap, so that a subscriber can
/// join, leave or change its rank in time logarithmic in the number of subscribers.
struct SubscriberGroup: Sendable {
    private struct Crowd {
        /// The ranks of the subscribers. The heap knows each subscriber by its index in `ids`.
        var ranks = RankHeap()
        var places: [ImageRequestID: Int] = [:]
    }

    /// The identifier that stands for no request.
    static let nobody = ImageRequestID(rawValue: 0)
    private static let crowdThreshold = 8

    /// The subscribers in order of arrival. In a crowd (a group that has had more than `crowdThreshold` subscribers),
    /// `nobody` stands in the place of a subscriber that has left.
    private(set) var ids: [ImageRequestID]
    private var crowd: Crowd?

    init(ids: [ImageRequestID]) {
        self.ids = ids
    }

    /// The most urgent rank (place in the order of work) among the subscribers, which is the least one, as smaller
    /// ranks go first. Nil if the group has never had more than `crowdThreshold` subscribers, because ranks are not
    /// stored then.
    var leastRankOfCrowd: JobRank? { crowd?.ranks.first?.rank }

    var count: Int { crowd?.places.count ?? ids.count }

    func contains(_ id: ImageRequestID) -> Bool { crowd.map { $0.places[id] != nil } ?? ids.contains(id) }

    mutating func append(_ id: ImageRequestID, rank: (ImageRequestID) -> JobRank) {
        guard crowd != nil else {
            ids.append(id)
            if ids.count > Self.crowdThreshold { buildCrowd(rank) }
            return
        }
        // When a subscriber leaves, `nobody` takes the subscriber's place in `ids`. Removes these entries as soon as
        // there are at least `crowdThreshold` more of them than subscribers.
        if ids.count >= 2 * count + Self.crowdThreshold {
            ids.removeAll { $0 == Self.nobody }
            buildCrowd(rank)
        }
        crowd!.ranks.insert(ids.count, rank: rank(id))
        crowd!.places[id] = ids.count
        ids.append(id)
    }

    /// Removes a request from the group.
    ///
    /// - Returns: whether `id` was in the group.
    mutating func remove(_ id: ImageRequestID) -> Bool {
        if crowd != nil {
            guard let place = crowd!.places.removeValue(forKey: id) else { return false }
            crowd!.ranks.remove(place)
            ids[place] = Self.nobody
        } else {
            guard let index = ids.firstIndex(of: id) else { return false }
            ids.remove(at: index)
        }
        return true
    }

    /// Records the new rank of a subscriber in the heap. Does nothing if the group has never had more than
    /// `crowdThreshold` subscribers, because ranks are not stored then.
    mutating func setRank(_ rank: JobRank, of id: ImageRequestID) {
        guard let place = crowd?.places[id] else { return }
        crowd!.ranks.setRank(rank, of: place)
    }

    private mutating func buildCrowd(_ rank: (ImageRequestID) -> JobRank) {
        var crowd = Crowd()
        for (place, id) in ids.enumerated() {
            crowd.ranks.insert(place, rank: rank(id))
            crowd.places[id] = place
        }
        self.crowd = crowd
    }
}
