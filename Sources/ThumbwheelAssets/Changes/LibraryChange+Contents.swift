extension LibraryChange {
    /// The assets whose pictures are out of date. These are the assets that were deleted for good, and those whose
    /// shown picture or original has changed. Images that were made from the old pictures can be discarded.
    ///
    /// - Complexity: linear in the number of changed assets.
    public var assetsWithLostContents: [AssetIdentifier] {
        let view = view
        return before.rows(changedUpTo: after).compactMap { row in
            let identifier = before.identifier(of: row)
            guard before.row(of: identifier) == row, view.sees(identifier) else { return nil }
            guard let rowNow = after.row(of: identifier) else { return identifier }
            return after.pictures(at: rowNow) == before.pictures(at: row) ? nil : identifier
        }
    }
}

extension Snapshot {
    fileprivate func pictures(at row: UInt32) -> [PictureVersion] {
        let asset = asset(at: row)
        return [asset.pictureVersion(), asset.pictureVersion(of: .unadjusted)]
    }
}
