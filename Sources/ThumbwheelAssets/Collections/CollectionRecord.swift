import Foundation

/// An album or a folder as the library keeps it.
struct CollectionRecord: Sendable {
    let identifier: CollectionIdentifier
    /// PhotoKit's number of the subtype.
    var subtype: Int
    var title: String?
    var parent: CollectionIdentifier
    /// Rises with each collection that is made: their order where no other is asked for.
    var sequence: UInt64
    var changeNumber: UInt64
    /// When it was changed last, in seconds since the reference date; nil where that is not known.
    var modified: Double?
    /// The members of an album, in its order. Dead rows stay until the album is edited or rows are renumbered; no fetch
    /// shows them.
    var rows: [UInt32] = []
    /// Of a folder, in its order.
    var children: [CollectionIdentifier] = []

    var modificationDate: Date? { modified.map(Date.init(timeIntervalSinceReferenceDate:)) }

    var isFolder: Bool { identifier.kind == .folder }

    /// What the host mirrors from elsewhere cannot be edited here.
    var isEditable: Bool { isFolder || subtype == AssetCollection.Subtype.albumRegular.rawValue }
}
