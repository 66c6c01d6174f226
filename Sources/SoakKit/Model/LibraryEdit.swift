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
