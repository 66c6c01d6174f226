/// A property by which a fetch can select and sort objects.
protocol FetchKey: Hashable, Sendable {
    /// Returns the property with this name in a format string; nil if there is none.
    static func named(_ name: String) -> Self?
    /// Returns the property for a key path of the model type; nil if there is none.
    static func key(for keyPath: AnyKeyPath) -> Self?
    /// Returns the name of the property with this key path if fetches do not support the property. Error messages
    /// contain the name. Nil if the library does not know the name.
    static func nameOfUnusable(_ keyPath: AnyKeyPath) -> String?
    var rawValue: String { get }
    var kind: FetchKeyKind { get }
}
