import Foundation

/// A property to sort assets by, and the direction. In ascending order, assets without the property come first.
public struct AssetSortDescriptor: Sendable, Hashable {
    /// The properties that assets can be sorted by.
    public enum Key: String, Sendable, Hashable, CaseIterable {
        /// When the photograph was taken.
        case creationDate
        /// When the asset or one of its properties changed last.
        case modificationDate
        /// When the asset was added to the library.
        case addedDate
        /// The text of the identifier.
        case localIdentifier
        /// The kind of the asset, as PhotoKit's number.
        case mediaType
        /// The bits of the subtypes, as a number.
        case mediaSubtypes
        /// The duration in seconds.
        case duration
        /// The width in pixels, in display orientation.
        case pixelWidth
        /// The height in pixels, in display orientation.
        case pixelHeight
        /// Whether the asset is a favourite; in ascending order, other assets come first.
        case isFavorite
        /// Whether the asset is hidden; in ascending order, other assets come first.
        case isHidden
        /// The burst that the asset is a member of.
        case burstIdentifier
        /// The length of the file in bytes.
        case fileSize
        /// The name of the file.
        case originalFilename
        /// The latitude in degrees north.
        case latitude
        /// The longitude in degrees east.
        case longitude
    }

    /// The property to sort by.
    public var key: Key
    /// Whether small values come first.
    public var isAscending: Bool

    /// Makes a descriptor that sorts by a property.
    public init(_ key: Key, ascending isAscending: Bool = true) {
        self.key = key
        self.isAscending = isAscending
    }

    /// Converts Foundation's sort descriptor.
    ///
    /// - Throws: `FetchPredicateError.unsupportedKey`, with the name of a key that assets cannot be sorted by.
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
