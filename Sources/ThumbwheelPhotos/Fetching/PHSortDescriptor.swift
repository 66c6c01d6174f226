/// A property to sort by, by its name, which `NSSortDescriptor` is on Apple's systems.
///
/// A name that cannot be sorted by ends the process when a fetch uses it, as PhotoKit's exception does.
public struct PHSortDescriptor: Sendable, Hashable {
    /// The name of the property; nil sorts by the identifier.
    public let key: String?
    /// Whether small values come first.
    public let ascending: Bool

    /// Makes a descriptor that sorts by a property.
    public init(key: String?, ascending: Bool) {
        self.key = key
        self.ascending = ascending
    }
}
