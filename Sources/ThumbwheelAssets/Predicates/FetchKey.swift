/// A property by which a fetch can select and sort objects.
protocol FetchKey: Hashable, Sendable {
    /// Returns the property with this name in a format string; nil if there is none.
    static func named(_ name: String) -> Self?
    /// Returns the property for a key path of the model type; nil if there is none.
    static func key(for keyPath: AnyKeyPath) -> Self?
    /// Returns the name of a property that has a key path but cannot be used in fetches; nil if the name is unknown.
    /// Errors contain the name.
    static func nameOfUnusable(_ keyPath: AnyKeyPath) -> String?
    var rawValue: String { get }
    var kind: FetchKeyKind { get }
}
