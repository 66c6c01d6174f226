import Thumbwheel

/// All that the run expects: the library, and what its users may see and have seen. A plain value.
package struct SoakWorld: Sendable {
    package struct User: Sendable {
        package var access: LibraryModel.Access
        /// Members of albums as the user saw them at some time, the newest last.
        package var seenMembers: [Seen] = []
        /// Children of folders, likewise.
        package var seenChildren: [Seen] = []
        package var hasGrid = false

        package static let seenLimit = 4
    }

    /// A list that a user has fetched.
    package struct Seen: Sendable, Equatable {
        package let node: Int
        package let list: [Int]
    }

    package var library = LibraryModel()
    package var users: [User]
    package private(set) var pictureCount = 0
    package private(set) var nodeCount = 0

    package init(userCount: Int) {
        // Every third user may see everything.
        users = (0..<userCount).map { User(access: $0 % 3 == 0 ? .full : .limited([])) }
    }

    package mutating func takePicture(_ random: inout SeededGenerator) -> SoakPicture {
        pictureCount += 1
        return SoakPicture(
            number: pictureCount, format: random.index(below: 3) == 0 ? .png : .jpeg,
            orientation: SoakPicture.orientations[random.index(below: 4)])
    }

    package mutating func takeNode() -> Int {
        nodeCount += 1
        return nodeCount
    }

    package mutating func look(at node: Int, user: Int) {
        if library.nodes[node]?.isFolder ?? false {
            users[user].seenChildren.keep(Seen(node: node, list: library.nodes[node]?.children ?? []))
        } else {
            let members = library.members(of: node, to: users[user].access)
            users[user].seenMembers.keep(Seen(node: node, list: members))
        }
    }
}

extension Array where Element == SoakWorld.Seen {
    mutating func keep(_ seen: Element) {
        append(seen)
        if count > SoakWorld.User.seenLimit { removeFirst() }
    }
}
