extension PhotoLibrary {
    /// Tells the observers of this `PhotoLibrary` object that its access policy now allows other assets than before. A
    /// `PhotoLibrary` object is a view of a library: the library as one user may see it. The allowed assets may change
    /// at any time while the object is used. See <doc:Semantics#Access>.
    ///
    /// Call this method after the policy has changed. Each observer of this object then receives a `LibraryChange`. For
    /// a fetch result, its `changeDetails(for:)` lists the assets that have become visible as inserted, and those that
    /// have become invisible as removed. Observers of other views receive nothing. Fetches ask the policy each time, so
    /// they need no call of this method.
    ///
    /// - Complexity: linear in the numbers of assets that were allowed before and are allowed now.
    public func accessDidChange() {
        let view = view
        let former = viewer.setReported(view)
        guard former != view else { return }
        let snapshot = snapshot
        let change = LibraryChange(before: snapshot, after: snapshot, library: core.identity)
        core.feed.publish(change.ofAccess(former), to: viewer)
    }
}
