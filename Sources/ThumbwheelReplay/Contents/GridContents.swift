/// The contents of a replayed grid after the edits of a trace: a library, or one of its albums.
struct GridContents: Sendable, Equatable {
    private(set) var list: AssetList
    /// The library, which is shown again when the album is left; nil while no album is shown.
    private var library: AssetList?

    /// - Parameter count: the number of assets that are shown at the beginning; they are the first ones.
    init(count: Int) {
        list = AssetList(count: count)
    }

    var isInAlbum: Bool { library != nil }

    mutating func apply(_ edit: ListEdit) {
        switch edit {
        case .enter(let numbers):
            library = library ?? list
            list.show(numbers)
        case .leave:
            guard let library else { return }
            list.showItems(of: library)
            self.library = nil
        case .insert(let asset, let item): list.insert(asset, at: item)
        case .remove(let item): list.remove(at: item)
        case .change(let item): list.change(at: item)
        case .move(let from, let to): list.insert(list.remove(at: from), at: to)
        }
    }

    /// Returns the reason why an edit cannot be made; nil if it can be made.
    func objection(to edit: ListEdit, assetCount: Int) -> String? {
        func checkItem(_ item: Int, below count: Int) -> String? {
            (0..<count).contains(item) ? nil : "no item \(item) among \(list.count)"
        }
        switch edit {
        case .enter(let numbers):
            return numbers.lowerBound >= 0 && numbers.upperBound <= assetCount
                ? nil : "an album of assets that are not there"
        case .leave: return isInAlbum ? nil : "no album to leave"
        case .insert(let asset, let item):
            guard (0..<assetCount).contains(asset) else { return "no asset \(asset) among \(assetCount)" }
            guard !list.contains(asset) else { return "asset \(asset) is there already" }
            return checkItem(item, below: list.count + 1)
        case .remove(let item), .change(let item): return checkItem(item, below: list.count)
        case .move(let from, let to):
            return checkItem(from, below: list.count) ?? checkItem(to, below: list.count)
        }
    }
}
