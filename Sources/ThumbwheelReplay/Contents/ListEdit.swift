/// A change of a grid's contents at one moment of a trace.
public enum ListEdit: Sendable, Hashable {
    /// Enters an album: the grid shows this range of assets. Edits change the album's contents until it is left.
    case enter(Range<Int>)
    /// Leaves the album, so that the grid shows the library again.
    case leave
    /// An asset arrives and becomes the item with this number.
    case insert(asset: Int, at: Int)
    /// The item leaves, and the items below it move up.
    case remove(at: Int)
    /// The content of the item's asset changes, and so does its image.
    case change(at: Int)
    /// The asset is taken out at the first item number and put in at the second.
    case move(from: Int, to: Int)
}
