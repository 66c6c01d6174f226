extension LibraryChange {
    /// Whether the change tells of another access of the observer's view; see `PhotoLibrary.accessDidChange()`.
    public var isAccessChanged: Bool { formerView != nil }

    /// The assets that the view did not see before its access changed and sees now, in the order of import. Assets in Recently
    /// Deleted are among them.
    ///
    /// - Complexity: linear in the library.
    public var assetsThatAppeared: [AssetIdentifier] {
        guard let formerView else { return [] }
        return after.identifiers(seenBy: view, andNotBy: formerView)
    }

    /// The assets that the view saw before its access changed and does not see now, in the order of import. Their pictures should
    /// no longer be shown.
    ///
    /// - Complexity: linear in the library.
    public var assetsThatDisappeared: [AssetIdentifier] {
        guard let formerView else { return [] }
        return before.identifiers(seenBy: formerView, andNotBy: view)
    }

    /// The view through which a result is fetched again. A result of the observer's own view gets all that this view sees now, even
    /// if it saw less before; a result of another view does not get more.
    func view(for former: AccessView, of viewer: LibraryViewer?) -> AccessView {
        let view = view
        return viewer != nil && viewer === self.viewer ? view : former.narrowed(to: view)
    }

    /// Whether an album or a folder has changed as far as the receiver can see: an asset that it may not see may have come into an
    /// album or left it.
    func isVisiblyChanged(_ record: CollectionRecord, since number: UInt64) -> Bool {
        guard record.changeNumber > number else { return false }
        let view = view
        guard case .limited = view, !record.isFolder, number == before.number,
            let then = before.collections[record.identifier]
        else { return true }
        func members(_ record: CollectionRecord, _ snapshot: Snapshot) -> [AssetIdentifier] {
            record.rows.map { snapshot.identifier(of: $0) }.filter { view.sees($0) }
        }
        return then.title?.utf8.elementsEqual((record.title ?? "").utf8) != true || then.parent != record.parent
            || members(then, before) != members(record, after)
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
