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

        var number: Int { Int(asset.identifier.low) }

        var isInAlbums: Bool {
            !isHidden && !isTrashed && (asset.burstIdentifier == nil || asset.representsBurst)
        }

        var isShown: Bool { isInAlbums && asset.sourceType == .userLibrary }
    }

    var items: [Item] = []
    /// All members of each album, those included that are not shown.
    var albums: [[Int]] = []

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

    /// Gives an album the shown members `wanted`; `placed` were put where they are, and follow what they follow there.
    mutating func setShownMembers(_ album: Int, to wanted: [Int], placed: Set<Int>) {
        let before = shownMembers(album)
        var list = albums[album].filter { member in
            !placed.contains(member) && (wanted.contains(member) || !before.contains(member))
        }
        var previous: Int?
        for member in wanted {
            if placed.contains(member) {
                let place = previous.flatMap { list.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
                list.insert(member, at: place)
            }
            previous = member
        }
        albums[album] = list
    }

}
