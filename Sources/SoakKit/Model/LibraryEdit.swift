/// One transaction, in terms of the model.
package enum LibraryEdit: Sendable, Equatable {
    case upload(Int, SoakSource)
    /// The host's store has another file for an asset.
    case replaceOriginal(Int, SoakSource)
    case toggleFavorite(Int)
    case toggleHidden(Int)
    case adjust(Int, SoakPicture)
    case revert(Int)
    case trash([Int])
    case restore([Int])
    case expunge([Int])
    case createAlbum(Int, in: Int)
    case createFolder(Int, in: Int)
    case rename(Int, String)
    case delete(Int)
    case add([Int], to: Int)
    /// Of this and those that follow, the positions refer to `pinned`, if there is one: a list that a client has seen.
    case insert(Int, into: Int, at: Int, pinned: [Int]?)
    case move([Int], to: Int, in: Int, pinned: [Int]?)
    case remove([Int], from: Int, pinned: [Int]?)
    case adopt([Int], by: Int)
    case moveChildren([Int], to: Int, in: Int, pinned: [Int]?)
    case removeChildren([Int], from: Int, pinned: [Int]?)
}

/// The objects that a transaction touched.
package struct LibraryDifference: Sendable, Equatable {
    package var insertedAssets: Set<Int> = []
    package var updatedAssets: Set<Int> = []
    package var deletedAssets: Set<Int> = []
    package var insertedNodes: Set<Int> = []
    package var updatedNodes: Set<Int> = []
    package var deletedNodes: Set<Int> = []
    /// Whether the order at the top level changed, which nobody is told of by name.
    package var movesTop = false
    /// An album that the transaction may count as changed, or not: nobody can see a change of it.
    package var possiblyUpdatedNode: Int?

    package init() {}

    /// Whether there is nothing to commit.
    package var isEmpty: Bool {
        insertedAssets.isEmpty && updatedAssets.isEmpty && deletedAssets.isEmpty && insertedNodes.isEmpty
            && updatedNodes.isEmpty && deletedNodes.isEmpty && !movesTop
    }
}

/// Why a transaction must not take place.
package enum Refusal: Error, Equatable, Sendable {
    case unknownAsset(Int)
    case unknownCollection(Int)
    case duplicateAsset(Int)
    case notRecentlyDeleted(Int)
    case notAdjusted(Int)
    case outOfRange
    case cyclicFolder(Int)
    case notInAFolder(Int)
    /// For a reason that no edit of a run has.
    case other(String)
}
