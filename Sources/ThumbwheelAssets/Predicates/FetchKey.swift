/// A property by which a fetch can select and sort objects.
protocol FetchKey: Hashable, Sendable {
    /// The key that a name in a format string stands for; nil if there is none.
    static func named(_ name: String) -> Self?
    /// The key that a key path of the model type stands for; nil if there is none.
    static func key(for keyPath: AnyKeyPath) -> Self?
    /// The name, for an error, of a property whose key path is not a key; nil if the name is unknown.
    static func nameOfUnusable(_ keyPath: AnyKeyPath) -> String?
    var rawValue: String { get }
    var kind: FetchKeyKind { get }
}
