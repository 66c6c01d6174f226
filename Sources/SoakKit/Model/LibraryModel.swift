/// A library as it should be, in plain arrays: assets, albums and folders go by numbers of the run's own.
package struct LibraryModel: Sendable, Equatable {
    package struct Item: Sendable, Equatable {
        package let number: Int
        package var original: SoakSource
        /// Of an adjusted asset.
        package var rendering: SoakPicture?
        package var isFavorite = false
        package var isHidden = false
        package var isTrashed = false

        /// What the asset shows.
        package var current: SoakSource { rendering.map { SoakSource($0) } ?? original }
    }

    /// An album or a folder.
    package struct Node: Sendable, Equatable {
        package var title: String
        package var parent: Int
        package var isFolder: Bool
        /// Of a folder.
        package var children: [Int] = []
        /// Of an album: all assets in it, those included that are not shown.
        package var members: [Int] = []
        /// Whether an asset of the album has been deleted for good: the next edit of the album may count as a change
        /// though nobody sees one.
        package var hasGhosts = false
    }

    /// The top level, which is no folder that anybody can fetch.
    package static let top = 0

    /// In the order of import.
    package private(set) var items: [Item] = []
    package internal(set) var nodes: [Int: Node] = [top: Node(title: "", parent: top, isFolder: true)]

    /// The assets that went for good last, whose identifiers are soon to come again.
    package private(set) var departed: [Int] = []

    package init() {}

    package func item(_ number: Int) -> Item? { items.first { $0.number == number } }

    /// Albums, in no order that anything depends on.
    package var albums: [Int] { nodes.filter { !$0.value.isFolder }.keys.sorted() }

    /// Folders, the top level included.
    package var folders: [Int] { nodes.filter(\.value.isFolder).keys.sorted() }

    mutating func append(_ item: Item) { items.append(item) }

    mutating func change(_ number: Int, _ body: (inout Item) -> Void) {
        if let index = items.firstIndex(where: { $0.number == number }) { body(&items[index]) }
    }

    mutating func noteDeparted(_ numbers: some Sequence<Int>) { departed = (departed + numbers).suffix(8) }

    mutating func removeItems(_ numbers: Set<Int>) {
        noteDeparted(numbers.sorted())
        items.removeAll { numbers.contains($0.number) }
        for (node, record) in nodes where record.members.contains(where: numbers.contains) {
            nodes[node]?.members.removeAll { numbers.contains($0) }
            nodes[node]?.hasGhosts = true
        }
    }
}

extension LibraryModel {
    /// What one user may see.
    package enum Access: Sendable, Equatable {
        case full
        case limited(Set<Int>)

        package func sees(_ number: Int) -> Bool {
            switch self {
            case .full: true
            case .limited(let numbers): numbers.contains(number)
            }
        }
    }

    /// The assets that a plain fetch finds.
    package func shown(to access: Access) -> [Int] {
        items.filter { !$0.isTrashed && !$0.isHidden && access.sees($0.number) }.map(\.number)
    }

    /// The assets that a fetch finds which includes hidden ones.
    package func shownWithHidden(to access: Access) -> [Int] {
        items.filter { !$0.isTrashed && access.sees($0.number) }.map(\.number)
    }

    package func trashed(to access: Access) -> [Int] {
        items.filter { $0.isTrashed && access.sees($0.number) }.map(\.number)
    }

    package func favorites(to access: Access) -> [Int] {
        items.filter { $0.isFavorite && !$0.isTrashed && !$0.isHidden && access.sees($0.number) }.map(\.number)
    }

    /// The members of an album that a plain fetch finds, in the album's order.
    package func members(of album: Int, to access: Access) -> [Int] {
        let shown = Set(shown(to: access))
        return (nodes[album]?.members ?? []).filter { shown.contains($0) }
    }

    /// A collection and all that is in it.
    package func descendants(of node: Int) -> Set<Int> {
        (nodes[node]?.children ?? []).reduce(into: [node]) { $0.formUnion(descendants(of: $1)) }
    }

    /// A folder and all that it is in, without the top level.
    package func ancestors(of node: Int) -> Set<Int> {
        var found: Set<Int> = []
        var next = node
        while next != Self.top, found.insert(next).inserted { next = nodes[next]?.parent ?? Self.top }
        return found
    }
}
