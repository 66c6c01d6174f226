extension LibraryChange {
    /// The assets that have lost a picture. An asset loses a picture if it is deleted for good, or if its shown picture
    /// or its original changes. Images made from the lost pictures can be discarded.
    ///
    /// - Complexity: linear in the size of the change.
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
