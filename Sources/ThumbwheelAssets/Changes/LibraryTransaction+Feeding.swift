import Foundation

extension LibraryTransaction {
    /// Updates the library from the host's own store, batch by batch: assets that the library lacks are added, known
    /// assets get the given properties, and unchanged assets are skipped without a trace in observers' changes or in the
    /// history.
    ///
    /// An asset counts as having other pixels, and gets a new content version, if its own version is higher than the
    /// library's, if its head or its file size differs, or if the bytes of its photograph or of its rendering differ or
    /// lie elsewhere. An asset in Recently Deleted stays there. A rendering that was made in the library also stays; the
    /// host's facts then describe the original. A given thumbnail hash is kept. A good batch has some thousands of
    /// assets.
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
            // The given original's picture version comes from another library and names no picture here, so it is
            // replaced.
            let keepsOriginal = !isNewer && facts.hasOriginal(of: known)
            facts.adjustment?.originalPicture = keepsOriginal ? known.originalPicture : draft.newPicture()
        }
        // The host's hash describes the original, so it is not stored if a rendering is kept.
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
    /// Keeps the rendering that the library has for an asset, because these facts from the host describe only its
    /// original.
    fileprivate mutating func keepRendering(of known: AssetFacts, _ adjustment: Adjustment) {
        self.adjustment = adjustment
        self.adjustment?.originalHead = head
        self.adjustment?.originalFileSize = fileSize
        resources += known.resources.filter { $0.kind == .fullSizePhoto || $0.kind == .adjustmentData }
        head = known.head
        fileSize = known.fileSize
    }

    /// Whether the photographed resources lie in the same places or, in memory, have the same bytes.
    fileprivate func hasSources(of known: AssetFacts) -> Bool {
        Self.photographed(resources) == Self.photographed(known.resources)
    }

    /// The source of the shown picture, which is the rendering of an adjusted asset.
    fileprivate var shownSource: AssetResource.Source? { Self.presentedResource(of: resources)?.source }

    /// Whether the original is the same in both facts, whether or not the asset is adjusted.
    fileprivate func hasOriginal(of known: AssetFacts) -> Bool {
        let (head, knownHead) = (adjustment?.originalHead ?? head, known.adjustment?.originalHead ?? known.head)
        let fileSize = adjustment?.originalFileSize ?? fileSize
        return head == knownHead && fileSize == known.adjustment?.originalFileSize ?? known.fileSize
            && hasSources(of: known)
    }

    fileprivate var originalPicture: PictureVersion? { adjustment?.originalPicture ?? picture }

    private static func photographed(_ resources: [AssetResource]) -> [AssetResource] {
        resources.filter { [.photo, .alternatePhoto, .video, .audio].contains($0.kind) }
    }
}
