/// A property by which a fetch can select and sort objects.
protocol FetchKey: Hashable, Sendable {
    /// The name of the objects' type, for messages.
    static var objectName: String { get }
    static func named(_ name: String) -> Self?
    /// The key that a key path of the model type names; nil if there is none.
    static func key(for keyPath: AnyKeyPath) -> Self?
    /// The name of a key path that is not a key; nil if the name is unknown.
    static func nameOfUnusable(_ keyPath: AnyKeyPath) -> String?
    var rawValue: String { get }
    var kind: FetchKeyKind { get }
}
