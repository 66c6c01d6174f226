/// The ways to meet a target size; see <doc:Semantics#Resize-modes>.
public enum ResizeMode: String, Sendable, Hashable, CaseIterable {
    /// The smallest natural decode scale that is not below the target; no resampling, no crop.
    case none
    /// The aspect kept, no crop; at least the target and less than twice it.
    case fast
    /// The target, to the pixel.
    case exact
}
