/// An object that a block of changes creates. It is valid inside the block and afterwards, and equals the object that the
/// library then has.
public final class PHObjectPlaceholder: PHObject, @unchecked Sendable {}
