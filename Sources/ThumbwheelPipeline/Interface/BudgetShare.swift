/// A share of the memory budget: for whom an image is cached, among several who use one image manager, such as the
/// users of a service.
///
/// While images of several owners are cached, each owner has its weight's part of the cache for itself: images of an
/// owner that takes more are evicted before images of one that does not. What an owner leaves unused, the others may
/// use. See <doc:Semantics#Shares-of-the-budget>.
public struct BudgetShare: Sendable, Hashable {
    /// Any number that tells the owner apart from the other owners of the same image manager.
    public var owner: Int
    /// The size of the share beside the shares of the others; brought into the bounds from 1/1024 to 1 048 576. If
    /// requests of one owner differ in it, the latest image that enters the cache decides.
    public var weight: Double

    /// Makes the share of an owner.
    public init(of owner: Int, weight: Double = 1) {
        self.owner = owner
        self.weight = weight
    }
}
