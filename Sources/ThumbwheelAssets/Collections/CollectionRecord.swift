import Foundation

/// An album or a folder in the form in which a snapshot stores it.
struct CollectionRecord: Sendable {
    let identifier: CollectionIdentifier
    /// The subtype, as the number that PhotoKit gives it.
    var subtype: Int
    var title: String?
    var parent: CollectionIdentifier
    /// A number that is greater than those of all older collections. By default, collections are sorted by it.
    var sequence: UInt64
    var changeNumber: UInt64
    /// The date of the last change, in seconds since the reference date; nil if it is unknown.
    var modified: Double?
    /// The row numbers of an album's assets, in the order of the album. The row of an asset that was deleted for good
    /// (a dead row) stays in the list until the album is edited or the rows are renumbered. Fetches leave dead rows
    /// out.
    var rows: [UInt32] = []
    /// The members of a folder, in the order of the folder.
    var children: [CollectionIdentifier] = []

    var modificationDate: Date? { modified.map(Date.init(timeIntervalSinceReferenceDate:)) }

    var isFolder: Bool { identifier.kind == .folder }

    /// Whether users can edit the collection. They cannot edit albums that the host program copies from another source.
    var isEditable: Bool { isFolder || subtype == AssetCollection.Subtype.albumRegular.rawValue }
}
