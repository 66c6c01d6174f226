import ThumbwheelScheduling

/// The requests that wait for a job, in order of arrival, and the most urgent rank among them.
///
/// Most jobs have one subscriber or a few, whose ranks are looked up on demand. A crowd keeps its ranks in a heap, so
/// that a subscriber can join, leave or change its rank in time logarithmic in the number of subscribers.
struct Subscribers: Sendable {
    private struct Crowd {
        /// The ranks of the crowd, by place in `ids`.
        var ranks = RankHeap()
        var places: [ImageRequestID: Int] = [:]
    }

    private static let nobody = ImageRequestID(rawValue: 0)
    private static let fewCount = 8

    /// The subscribers, in order of arrival; in a crowd, `nobody` marks the places of those that have left.
    private var ids: [ImageRequestID]
    private var crowd: Crowd?

    init(_ ids: [ImageRequestID] = []) {
        self.ids = ids
    }

    var count: Int { crowd?.places.count ?? ids.count }
    var isEmpty: Bool { count == 0 }

    /// The subscribers in order of arrival.
    var inOrder: [ImageRequestID] { crowd == nil ? ids : ids.filter { $0 != Self.nobody } }

    /// The most urgent rank of a crowd; nil for a few subscribers or none.
    var leastRankOfCrowd: JobRank? { crowd?.ranks.first?.rank }

    /// - Parameter rank: looks up the rank of a subscriber; called only for a crowd, or when a few become a crowd.
    mutating func append(_ id: ImageRequestID, rank: (ImageRequestID) -> JobRank) {
        guard crowd != nil else {
            ids.append(id)
            if ids.count > Self.fewCount { gather(rank) }
            return
        }
        // Rebuilds the list before the places of those that have left outnumber the subscribers that remain.
        if ids.count >= 2 * crowd!.places.count + Self.fewCount {
            ids = inOrder
            gather(rank)
        }
        crowd!.ranks.insert(ids.count, rank: rank(id))
        crowd!.places[id] = ids.count
        ids.append(id)
    }

    /// - Returns: whether `id` was among the subscribers.
    mutating func remove(_ id: ImageRequestID) -> Bool {
        guard crowd != nil else {
            guard let index = ids.firstIndex(of: id) else { return false }
            ids.remove(at: index)
            return true
        }
        guard let place = crowd!.places.removeValue(forKey: id) else { return false }
        crowd!.ranks.remove(place)
        ids[place] = Self.nobody
        if crowd!.places.isEmpty { (ids, crowd) = ([], nil) }
        return true
    }

    /// Records the new rank of a subscriber.
    mutating func setRank(_ rank: JobRank, of id: ImageRequestID) {
        guard let place = crowd?.places[id] else { return }
        crowd!.ranks.setRank(rank, of: place)
    }

    func contains(_ id: ImageRequestID) -> Bool { crowd.map { $0.places[id] != nil } ?? ids.contains(id) }

    private mutating func gather(_ rank: (ImageRequestID) -> JobRank) {
        var crowd = Crowd()
        for (place, id) in ids.enumerated() {
            crowd.ranks.insert(place, rank: rank(id))
            crowd.places[id] = place
        }
        self.crowd = crowd
    }
}
