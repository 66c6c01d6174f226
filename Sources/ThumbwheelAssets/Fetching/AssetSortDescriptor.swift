import Foundation

/// A property to sort assets by, and which way. Assets that lack the property come before those that have it.
public struct AssetSortDescriptor: Sendable, Hashable {
    /// The properties that assets can be sorted by.
    public enum Key: String, Sendable, Hashable, CaseIterable {
        /// When the photograph was taken.
        case creationDate
        /// When the asset or one of its properties changed last.
        case modificationDate
        /// When the asset came into the library.
        case addedDate
        /// The text of the identifier.
        case localIdentifier
        /// The kind of the asset, as PhotoKit's number.
        case mediaType
        /// The bits of the subtypes, as a number.
        case mediaSubtypes
        /// The length in seconds.
        case duration
        /// The width in pixels, in display orientation.
        case pixelWidth
        /// The height in pixels, in display orientation.
        case pixelHeight
        /// Whether the asset is a favourite; others first.
        case isFavorite
        /// Whether the asset is hidden; others first.
        case isHidden
        /// The burst that the asset is a member of.
        case burstIdentifier
        /// The length of the file in bytes.
        case fileSize
        /// The name of the file.
        case originalFilename
        /// Degrees north.
        case latitude
        /// Degrees east.
        case longitude
    }

    /// The property.
    public var key: Key
    /// Whether small values come first.
    public var isAscending: Bool

    /// Makes a descriptor.
    public init(_ key: Key, ascending isAscending: Bool = true) {
        self.key = key
        self.isAscending = isAscending
    }

    /// Reads Foundation's descriptor; a key that cannot be sorted by is an error that names it.
    ///
    /// - Throws: `FetchPredicateError.unsupportedKey`.
    public init(_ descriptor: SortDescriptor<Asset>) throws(FetchPredicateError) {
        guard let path = descriptor.keyPath else { throw .unsupportedExpression("a comparator without a key path") }
        guard let key = AssetKey.key(for: path) else {
            throw .unsupportedKey(AssetKey.nameOfUnusable(path) ?? String(describing: path))
        }
        guard let sortKey = Key(rawValue: key.rawValue) else { throw .unsupportedKey(key.rawValue) }
        self.init(sortKey, ascending: descriptor.order == .forward)
    }

    var column: KeyColumn? { AssetKey(rawValue: key.rawValue)?.column }
}
