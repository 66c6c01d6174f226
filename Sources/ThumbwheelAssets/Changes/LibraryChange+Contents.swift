extension LibraryChange {
    /// The assets of which a picture of before is nobody's any more: deleted for good, or changed, be it what an adjusted one
    /// shows or its original. What was made of those pixels can go.
    ///
    /// Takes time proportional to the change.
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
