extension LibraryChange {
    /// Whether the observer's access to the library has changed; see `PhotoLibrary.accessDidChange()`.
    public var isAccessChanged: Bool { formerView != nil }

    /// The assets that have become visible to the observer because its access changed, in the order of import. They
    /// include assets in Recently Deleted.
    ///
    /// - Complexity: linear in the number of assets in the library.
    public var assetsThatAppeared: [AssetIdentifier] {
        guard let formerView else { return [] }
        return after.identifiers(seenBy: view, andNotBy: formerView)
    }

    /// The assets that have become invisible to the observer because its access changed, in the order of import. The
    /// program that uses this library should no longer show their pictures.
    ///
    /// - Complexity: linear in the number of assets in the library.
    public var assetsThatDisappeared: [AssetIdentifier] {
        guard let formerView else { return [] }
        return before.identifiers(seenBy: formerView, andNotBy: view)
    }

    /// Returns the assets that the observer may see when the fetch of a result is repeated after this change. A view is
    /// the library as one user may see it.
    ///
    /// - If the result was fetched from the observer's own view: all assets that are allowed to the observer now.
    /// - If the result was fetched from a different view: only those of them that were also allowed when the result was
    ///   fetched. The result then never grows by assets that the other user was not allowed to see.
    ///
    /// - Parameters:
    ///   - former: the assets that were allowed when the result was fetched.
    ///   - viewer: identifies the view from which the result was fetched.
    func view(for former: AccessView, of viewer: LibraryViewer?) -> AccessView {
        let view = view
        return viewer != nil && viewer === self.viewer ? view : former.narrowed(to: view)
    }

    /// Whether an album or a folder has changed in a way that the observer may see. If an asset that the observer may
    /// not see was added to an album or removed from it, that does not count.
    ///
    /// - Parameters:
    ///   - number: the number of the snapshot since which changes count.
    ///   - former: that snapshot; nil if it is not known. Every change of the album then counts.
    func isVisiblyChanged(_ record: CollectionRecord, since number: UInt64, _ former: Snapshot?) -> Bool {
        guard record.changeNumber > number else { return false }
        let view = view
        guard case .limited = view, !record.isFolder, let former, let then = former.collections[record.identifier]
        else { return true }
        func members(_ record: CollectionRecord, _ snapshot: Snapshot) -> [AssetIdentifier] {
            record.rows.map { snapshot.identifier(of: $0) }.filter { view.sees($0) }
        }
        return then.title?.utf8.elementsEqual((record.title ?? "").utf8) != true || then.parent != record.parent
            || members(then, former) != members(record, after)
    }
}

extension Snapshot {
    fileprivate func identifiers(seenBy view: AccessView, andNotBy other: AccessView) -> [AssetIdentifier] {
        var found: [AssetIdentifier] = []
        for chunk in chunks {
            chunk.columns.mask(.alive).forEachSlot { slot in
                let identifier = chunk.columns.identifier(at: slot)
                if view.sees(identifier), !other.sees(identifier) { found.append(identifier) }
            }
        }
        return found
    }
}
