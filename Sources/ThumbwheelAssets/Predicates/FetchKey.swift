/// A property that the objects of a fetch can be chosen and sorted by.
protocol FetchKey: Hashable, Sendable {
    /// What the objects are called, in messages.
    static var objectName: String { get }
    static func named(_ name: String) -> Self?
    /// The key that a key path of the model stands for.
    static func key(for keyPath: AnyKeyPath) -> Self?
    /// What a key path is called that stands for none; nil where that is not known.
    static func nameOfUnusable(_ keyPath: AnyKeyPath) -> String?
    var rawValue: String { get }
    var kind: FetchKeyKind { get }
}
