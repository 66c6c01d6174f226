import Thumbwheel

/// Results that a user has fetched and kept, in step with `SoakWorld.User`'s lists of numbers.
struct SeenResults {
    /// A result that an edit's positions refer to.
    enum Pin {
        case members(FetchResult<Asset>)
        case children(FetchResult<CollectionItem>)

        var members: FetchResult<Asset>? { if case .members(let result) = self { result } else { nil } }

        var children: FetchResult<CollectionItem>? { if case .children(let result) = self { result } else { nil } }
    }

    private var members: [FetchResult<Asset>] = []
    private var children: [FetchResult<CollectionItem>] = []

    mutating func keep(_ result: FetchResult<Asset>) {
        members.append(result)
        if members.count > SoakWorld.User.seenLimit { members.removeFirst() }
    }

    mutating func keep(_ result: FetchResult<CollectionItem>) {
        children.append(result)
        if children.count > SoakWorld.User.seenLimit { children.removeFirst() }
    }

    subscript(pin: SoakStep.Pin) -> Pin {
        pin.isOfMembers ? .members(members[pin.slot]) : .children(children[pin.slot])
    }
}
