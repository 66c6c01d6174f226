/// A change of a grid's contents at one moment of a trace.
public enum ListEdit: Sendable, Hashable {
    /// Other assets are shown: those of an album. Edits until it is left are edits of what it shows.
    case enter(Range<Int>)
    /// Back to the library.
    case leave
    /// An asset arrives and becomes this item.
    case insert(asset: Int, at: Int)
    /// The item leaves, and the items below it move up.
    case remove(at: Int)
    /// Its content is another from now on, and so is its image.
    case change(at: Int)
    /// Taken out at the first item, put in at the second.
    case move(from: Int, to: Int)
}
