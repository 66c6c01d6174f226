import Foundation

/// A property by which assets are sorted, and the direction. In ascending order, assets without the property come
/// first.
public struct AssetSortDescriptor: Sendable, Hashable {
    /// The properties by which assets can be sorted.
    public enum Key: String, Sendable, Hashable, CaseIterable {
        /// The date on which the photograph was taken.
        case creationDate
        /// The date of the last change of the asset or its properties.
        case modificationDate
        /// The date on which the asset was added to the library.
        case addedDate
        /// The text of the identifier.
        case localIdentifier
        /// The media type, as the number that PhotoKit gives it.
        case mediaType
        /// The media subtypes, as a number with one bit for each.
        case mediaSubtypes
        /// The duration in seconds.
        case duration
        /// The width in pixels, in display orientation.
        case pixelWidth
        /// The height in pixels, in display orientation.
        case pixelHeight
        /// Whether the asset is a favourite. In ascending order, favourites come last.
        case isFavorite
        /// Whether the asset is hidden. In ascending order, hidden assets come last.
        case isHidden
        /// The identifier of the burst to which the asset belongs.
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

    /// The property by which assets are sorted.
    public var key: Key
    /// Whether small values come first.
    public var isAscending: Bool

    /// Makes a descriptor that sorts by a property.
    public init(_ key: Key, ascending isAscending: Bool = true) {
        self.key = key
        self.isAscending = isAscending
    }

    /// Makes a descriptor from Foundation's sort descriptor.
    ///
    /// - Throws: `FetchPredicateError.unsupportedKey`, with the name of a property by which assets cannot be sorted.
    public init(_ descriptor: SortDescriptor<Asset>) throws(FetchPredicateError) {
        guard let path = descriptor.keyPath else { throw .unsupportedExpression("a comparator without a key path") }
        guard let key = AssetKey.key(for: path) else {
            throw .unsupportedKey(AssetKey.unsupportedKeyName(for: path) ?? String(describing: path))
        }
        guard let sortKey = Key(rawValue: key.rawValue) else { throw .unsupportedKey(key.rawValue) }
        self.init(sortKey, ascending: descriptor.order == .forward)
    }

    var column: KeyColumn? { AssetKey(rawValue: key.rawValue)?.column }
}
