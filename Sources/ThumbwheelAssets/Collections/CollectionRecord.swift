import Foundation

/// The stored form of an album or a folder.
struct CollectionRecord: Sendable {
    let identifier: CollectionIdentifier
    /// PhotoKit's number of the subtype.
    var subtype: Int
    var title: String?
    var parent: CollectionIdentifier
    /// A number that rises with each new collection; it gives the default order of collections.
    var sequence: UInt64
    var changeNumber: UInt64
    /// When the collection was last changed, in seconds since the reference date; nil if that is unknown.
    var modified: Double?
    /// The row numbers of an album's assets, in the order of the album. If an asset was deleted for good, its row (a
    /// dead row) stays until the album is edited or rows are renumbered. No fetch shows dead rows.
    var rows: [UInt32] = []
    /// The members of a folder, in its order.
    var children: [CollectionIdentifier] = []

    var modificationDate: Date? { modified.map(Date.init(timeIntervalSinceReferenceDate:)) }

    var isFolder: Bool { identifier.kind == .folder }

    /// Whether users can edit the collection; albums that the host mirrors from another source are not editable.
    var isEditable: Bool { isFolder || subtype == AssetCollection.Subtype.albumRegular.rawValue }
}
