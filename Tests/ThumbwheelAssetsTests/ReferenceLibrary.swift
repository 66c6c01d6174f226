import Foundation
import ThumbwheelAssets

/// What a library should do, in plain arrays and without a thought for speed.
struct ReferenceLibrary {
    struct Item {
        let asset: Asset
        var isFavorite: Bool
        var isHidden: Bool
        var creationDate: Date?
        var isTrashed = false
        /// Of the rendering, if the asset is adjusted.
        var adjustedWidth: Int?
        /// How often the pixels have become others.
        var pixelChangeCount = 0

        var width: Int { adjustedWidth ?? asset.pixelWidth }
        var number: Int { Int(asset.identifier.low) }

        var isInAlbums: Bool {
            !isHidden && !isTrashed && (asset.burstIdentifier == nil || asset.representsBurst)
        }

        var isShown: Bool { isInAlbums && asset.sourceType == .userLibrary }
    }

    var items: [Item] = []
    /// All members of each album, those included that are not shown.
    var albums: [[Int]] = []
    /// The children of each folder; of the top level, under `ReferenceLibrary.top`.
    var children: [Int: [Int]] = [top: []]

    static let top = -1

    func item(_ number: Int) -> Item? { items.first { $0.number == number } }

    mutating func change(_ number: Int, _ body: (inout Item) -> Void) {
        if let index = items.firstIndex(where: { $0.number == number }) { body(&items[index]) }
    }

    mutating func deletePermanently(_ number: Int) {
        items.removeAll { $0.number == number }
        for album in albums.indices { albums[album].removeAll { $0 == number } }
    }

    func shown(_ isIncluded: (Item) -> Bool = { _ in true }) -> [Int] {
        items.filter { $0.isShown && isIncluded($0) }.map(\.number)
    }

    func newestFirst() -> [Int] {
        items.enumerated().filter { $0.element.isShown }.sorted { one, other in
            let (first, second) = (
                one.element.creationDate ?? .distantPast, other.element.creationDate ?? .distantPast
            )
            return first == second ? one.offset < other.offset : first > second
        }.map(\.element.number)
    }

    func shownMembers(_ album: Int) -> [Int] { albums[album].filter { item($0)?.isInAlbums ?? false } }

    /// Gives an album the shown members `wanted`; `placed` were put where they are, and follow what they follow there, or
    /// have the places of those that they replaced.
    mutating func setShownMembers(
        _ album: Int, to wanted: [Int], placed: Set<Int>, replacing successors: [Int: Int] = [:]
    ) {
        let before = shownMembers(album)
        var list = albums[album].compactMap { member in
            if let successor = successors[member] { return successor }
            return !placed.contains(member) && (wanted.contains(member) || !before.contains(member)) ? member : nil
        }
        var previous: Int?
        for member in wanted {
            if placed.contains(member), !list.contains(member) {
                let place = previous.flatMap { list.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
                list.insert(member, at: place)
            }
            previous = member
        }
        albums[album] = list
    }

    // MARK: Folders

    func parent(of node: Int) -> Int { children.first { $0.value.contains(node) }?.key ?? Self.top }

    /// A node and all that is in it.
    func descendants(of node: Int) -> Set<Int> {
        (children[node] ?? []).reduce(into: [node]) { $0.formUnion(descendants(of: $1)) }
    }

    /// Gives a folder its children; those from elsewhere leave there, those that are left out go to the top level.
    mutating func setChildren(of folder: Int, to wanted: [Int]) {
        let leaving = (children[folder] ?? []).filter { !wanted.contains($0) }
        for other in children.keys where other != folder { children[other]?.removeAll { wanted.contains($0) } }
        children[folder] = wanted
        if folder != Self.top { children[Self.top]? += leaving }
    }

    mutating func deleteNode(_ node: Int) {
        let gone = descendants(of: node)
        for folder in children.keys { children[folder]?.removeAll { gone.contains($0) } }
        for node in gone { children[node] = nil }
    }
}
