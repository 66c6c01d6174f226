extension PhotoLibrary {
    /// Tells the observers of this view that its policy allows other assets than before: a view may be narrowed and widened while
    /// it is used. See <doc:Semantics#Access>.
    ///
    /// Call it after the policy has changed. The view's observers get a change in which `changeDetails(for:)` of a result adds and
    /// removes the assets that have appeared and disappeared; observers of other views get nothing. Fetches follow the policy in
    /// any case.
    ///
    /// - Complexity: linear in the sets of allowed assets, before and after.
    public func accessDidChange() {
        let view = view
        let former = viewer.tell(view)
        guard former != view else { return }
        let snapshot = snapshot
        let change = LibraryChange(before: snapshot, after: snapshot, library: core.identity)
        core.feed.publish(change.ofAccess(former), to: viewer)
    }
}
