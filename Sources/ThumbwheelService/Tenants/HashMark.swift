/// A state of the placeholders that a tenant is shown: of two that are equal, so are the placeholders of one and the same list.
struct HashMark: Equatable, Sendable {
    /// Rises as assets are given ThumbHashes, if the tenant is shown any that others' requests or the service have left.
    var keptCount: Int
    /// Rises as the tenant asks for pictures itself, of which it is shown all placeholders.
    var ownCount = 0
    /// Rises as others are hidden.
    var missingNumber = 0
}
