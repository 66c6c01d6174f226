/// A property by which a fetch can select and sort objects.
protocol FetchKey: Hashable, Sendable {
    /// Returns the property with this name in a format string; nil if there is none.
    static func named(_ name: String) -> Self?
    /// Returns the property for a key path of the model type; nil if there is none.
    static func key(for keyPath: AnyKeyPath) -> Self?
    /// Returns the name, for an error message, of a property that fetches do not support. Nil if the key path belongs
    /// to a supported property, or to a property whose name the library does not know.
    static func unsupportedKeyName(for keyPath: AnyKeyPath) -> String?
    var rawValue: String { get }
    var kind: FetchKeyKind { get }
}
