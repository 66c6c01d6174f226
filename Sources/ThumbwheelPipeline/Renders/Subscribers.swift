import ThumbwheelScheduling

/// The requests that wait for a job, in order of arrival, and the most urgent rank (place in the order of work) among
/// them.
///
/// Most jobs have one subscriber. A single subscriber takes nine bytes, and no allocation.
struct Subscribers: Sendable {
    private enum Storage {
        case none
        case one(ImageRequestID)
        /// Several subscribers: an array whose only element is their group. The array keeps the enum small.
        case several([SubscriberGroup])
    }

    private var storage = Storage.none

    init() {}

    init(_ id: ImageRequestID) {
        storage = .one(id)
    }

    private var group: SubscriberGroup? {
        if case .several(let groups) = storage { groups[0] } else { nil }
    }

    /// Changes the group of subscribers without copying it. While `body` runs, `storage` does not refer to the group,
    /// so there is only one reference to the group.
    ///
    /// - Precondition: there are several subscribers.
    private mutating func changeGroup<Result>(_ body: (inout SubscriberGroup) -> Result) -> Result {
        guard case .several(var groups) = storage else { preconditionFailure("no group of subscribers") }
        storage = .none
        defer { storage = .several(groups) }
        return body(&groups[0])
    }

    var count: Int {
        switch storage {
        case .none: 0
        case .one: 1
        case .several(let groups): groups[0].count
        }
    }

    var isEmpty: Bool { if case .none = storage { true } else { false } }

    /// The subscribers in order of arrival. Going through them allocates nothing.
    var inOrder: InOrder {
        switch storage {
        case .none: InOrder(only: SubscriberGroup.nobody, ids: [])
        case .one(let id): InOrder(only: id, ids: [])
        case .several(let groups): InOrder(only: SubscriberGroup.nobody, ids: groups[0].ids)
        }
    }

    /// The most urgent rank (place in the order of work) among the subscribers, which is the least one, as smaller
    /// ranks go first. Nil if ranks are not stored. They are stored from the time when there are more than a few
    /// subscribers until all of them have left.
    var leastRankOfCrowd: JobRank? { group?.leastRankOfCrowd }

    /// Adds a request to the subscribers.
    ///
    /// - Parameter rank: returns the rank (place in the order of work) of a subscriber. It is called only if the group
    ///   stores ranks already, or begins to store them because the new subscriber makes the group large enough (see
    ///   `leastRankOfCrowd`).
    mutating func append(_ id: ImageRequestID, rank: (ImageRequestID) -> JobRank) {
        switch storage {
        case .none: storage = .one(id)
        case .one(let only): storage = .several([SubscriberGroup(ids: [only, id])])
        case .several: changeGroup { $0.append(id, rank: rank) }
        }
    }

    /// Removes a request from the subscribers.
    ///
    /// - Returns: whether `id` was among the subscribers.
    mutating func remove(_ id: ImageRequestID) -> Bool {
        switch storage {
        case .none: return false
        case .one(let only):
            guard only == id else { return false }
            storage = .none
            return true
        case .several:
            guard changeGroup({ $0.remove(id) }) else { return false }
            if count == 0 { storage = .none }
            return true
        }
    }

    /// Records the new rank of a subscriber, if ranks are stored (see `leastRankOfCrowd`). Otherwise does nothing.
    mutating func setRank(_ rank: JobRank, of id: ImageRequestID) {
        guard case .several = storage else { return }
        changeGroup { $0.setRank(rank, of: id) }
    }

    func contains(_ id: ImageRequestID) -> Bool {
        switch storage {
        case .none: false
        case .one(let only): only == id
        case .several(let groups): groups[0].contains(id)
        }
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
            if only != SubscriberGroup.nobody {
                defer { only = SubscriberGroup.nobody }
                return only
            }
            while place < ids.count {
                defer { place += 1 }
                if ids[place] != SubscriberGroup.nobody { return ids[place] }
            }
            return nil
        }
    }
}
