import Foundation

extension LibraryTransaction {
    /// Updates the library from the host's own store, batch by batch. Assets that the library lacks are added, and
    /// known assets get the given properties. Unchanged assets are skipped; observers and the history learn nothing of
    /// them.
    ///
    /// A known asset gets a new content version if the given version is higher, or if the given head or file size
    /// differs. It also gets one if the given bytes of the photograph or of the rendering differ or lie elsewhere. An
    /// asset in Recently Deleted stays there.
    ///
    /// If an asset has a rendering that was made in this library, the rendering stays too. The given facts then
    /// describe the asset's original, and a given thumbnail hash is ignored. The content version then rises only if the
    /// given one is higher. For all other assets, the hash is stored. A good batch has some thousands of assets.
    public mutating func update(with assets: some Sequence<Asset>) throws(ChangeError) {
        let assets = Array(assets)
        try attempt { transaction throws(ChangeError) in
            for asset in assets {
                if transaction.draft.row(of: asset.identifier) == nil {
                    try transaction.createAsset(asset)
                } else {
                    try transaction.update(try transaction.row(of: asset), with: asset)
                }
            }
        }
    }

    private func update(_ row: UInt32, with asset: Asset) throws(ChangeError) {
        let known = draft.read(row) { $0.facts(at: $1) }
        var facts = asset.facts
        facts.addedDate = facts.addedDate ?? known.addedDate
        facts.modificationDate = facts.modificationDate ?? known.modificationDate
        facts.fileDate = facts.fileDate ?? known.fileDate
        facts.trashedDate = known.trashedDate
        // The mark belongs to the file; a next import finds that of another file.
        if facts.hasSources(of: known) { facts.mark = known.mark }
        let isNewer = facts.contentVersion > known.contentVersion
        let keepsRendering = facts.adjustment == nil && known.adjustment != nil
        if keepsRendering, let adjustment = known.adjustment {
            let hasOtherOriginal =
                isNewer || facts.head != adjustment.originalHead || facts.fileSize != adjustment.originalFileSize
                || !facts.hasSources(of: known)
            facts.keepRendering(of: known, adjustment)
            facts.contentVersion = max(facts.contentVersion, known.contentVersion)
            if hasOtherOriginal { facts.adjustment?.originalPicture = draft.newPicture() }
            facts.picture = known.picture
        } else {
            let hasOtherPixels =
                facts.head != known.head || facts.fileSize != known.fileSize || !facts.hasSources(of: known)
                || facts.shownSource != known.shownSource
            facts.contentVersion = max(
                facts.contentVersion, hasOtherPixels ? known.contentVersion.successor : known.contentVersion)
            facts.picture = isNewer || hasOtherPixels ? draft.newPicture() : known.picture
            // A picture version in the given facts comes from another library and names no picture here. An unchanged
            // original keeps the version that it has in this library; a changed one gets a new version.
            let keepsOriginal = !isNewer && facts.hasOriginal(of: known)
            facts.adjustment?.originalPicture = keepsOriginal ? known.originalPicture : draft.newPicture()
        }
        // The host's hash describes the original. So it is not stored for an asset that keeps its rendering.
        defer { if !keepsRendering { draft.note(asset.thumbHash, of: row) } }
        if facts == known { return }
        if asset.modificationDate == nil { facts.modificationDate = date }
        let identifier = asset.identifier
        touch(row) { columns, slot in
            let isSourceMissing = columns[.sourceMissing, slot]
            columns.write(facts, identifier, at: slot)
            columns[.sourceMissing, slot] = isSourceMissing
        }
    }
}

extension AssetFacts {
    /// Adds to these facts the rendering that the library has for the asset. The facts come from the host and describe
    /// only the asset's original.
    fileprivate mutating func keepRendering(of known: AssetFacts, _ adjustment: Adjustment) {
        self.adjustment = adjustment
        self.adjustment?.originalHead = head
        self.adjustment?.originalFileSize = fileSize
        resources += known.resources.filter { $0.type.comesByAdjustment }
        head = known.head
        fileSize = known.fileSize
    }

    /// Whether both assets have the same photographs, videos and sounds; renderings are not compared. Bytes in memory
    /// are the same if they are equal, files if their paths are equal.
    fileprivate func hasSources(of known: AssetFacts) -> Bool {
        Self.photographed(resources) == Self.photographed(known.resources)
    }

    /// The source of the picture that the asset shows. For an adjusted asset, this is its rendering.
    fileprivate var shownSource: AssetResource.Source? { Self.presentedResource(of: resources)?.source }

    /// Whether both facts describe the same original. Either asset may be adjusted.
    fileprivate func hasOriginal(of known: AssetFacts) -> Bool {
        let (head, knownHead) = (adjustment?.originalHead ?? head, known.adjustment?.originalHead ?? known.head)
        let fileSize = adjustment?.originalFileSize ?? fileSize
        return head == knownHead && fileSize == known.adjustment?.originalFileSize ?? known.fileSize
            && hasSources(of: known)
    }

    fileprivate var originalPicture: PictureVersion? { adjustment?.originalPicture ?? picture }

    private static func photographed(_ resources: [AssetResource]) -> [AssetResource] {
        resources.filter { [.photo, .alternatePhoto, .video, .audio].contains($0.type) }
    }
}
