/// The two ways to place an image in its target; see <doc:Semantics#Target-sizes>.
public enum ContentMode: String, Sendable, Hashable, CaseIterable {
    /// The whole image, inside the target.
    case fit
    /// The target wholly covered; what protrudes is cut off where the resize mode is exact.
    case fill
}
