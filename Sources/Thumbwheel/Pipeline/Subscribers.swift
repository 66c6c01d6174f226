import ThumbwheelScheduling

/// Who waits for a job, in the order in which they came, and how urgently the most urgent of them does.
///
/// A job has one subscriber, or a few: their ranks are looked up when they are asked for. A crowd keeps them in a heap, so
/// that anyone can join, leave and be moved in time logarithmic in the number of all.
struct Subscribers: Sendable {
    private struct Crowd {
        /// By place in `ids`.
        var ranks = RankHeap()
        var places: [ImageRequestID: Int] = [:]
    }

    private static let nobody = ImageRequestID(rawValue: 0)
    private static let fewCount = 8

    /// With `nobody` in place of those of a crowd that have left.
    private var ids: [ImageRequestID]
    private var crowd: Crowd?

    init(_ ids: [ImageRequestID] = []) {
        self.ids = ids
    }

    var count: Int { crowd?.places.count ?? ids.count }
    var isEmpty: Bool { count == 0 }

    /// In the order in which they came.
    var inOrder: [ImageRequestID] { crowd == nil ? ids : ids.filter { $0 != Self.nobody } }

    /// The most urgent rank of a crowd; nil for a few, and for nobody.
    var leastRankOfCrowd: JobRank? { crowd?.ranks.first?.rank }

    /// - Parameter rank: of a subscriber; asked for where they are, or become, a crowd.
    mutating func append(_ id: ImageRequestID, rank: (ImageRequestID) -> JobRank) {
        guard crowd != nil else {
            ids.append(id)
            if ids.count > Self.fewCount { gather(rank) }
            return
        }
        // Those that have left are at most as many as those that are here.
        if ids.count >= 2 * crowd!.places.count + Self.fewCount {
            ids = inOrder
            gather(rank)
        }
        crowd!.ranks.insert(ids.count, rank: rank(id))
        crowd!.places[id] = ids.count
        ids.append(id)
    }

    /// - Returns: whether it was among them.
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

    /// A subscriber has another rank than before.
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
