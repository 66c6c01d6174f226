import Foundation

extension LibraryTransaction {
    /// Updates the library with a batch of assets from a store outside it, such as a database of the program that uses
    /// this library. Assets that the library lacks are added, and known assets get the given properties. A known asset
    /// that equals the given one is skipped, so that no change is reported for it.
    ///
    /// A good batch contains a few thousand assets.
    ///
    /// A known asset gets a new content version (a number that rises when the pixels change) in these cases:
    ///
    /// - The given content version is higher.
    /// - The given `head` (the metadata at the start of the file) or file size is different.
    /// - The given bytes of the photograph or of its rendering (the edited picture) are different, or are at another
    ///   path.
    ///
    /// A thumbnail hash that is given with an asset is stored. An asset in Recently Deleted stays there.
    ///
    /// Different rules apply if a known asset has a rendering and the given asset has none. The given `head`, file size
    /// and resources are then taken for those of the known asset's original:
    ///
    /// - The rendering is kept, and the asset still shows it.
    /// - The given `head`, file size and resources are stored as those of the original.
    /// - The content version rises only if the given content version is higher.
    /// - The given thumbnail hash is not stored, because it is that of the original.
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
        facts.newestFileDate = facts.newestFileDate ?? known.newestFileDate
        facts.ignoredRenderingDate = facts.ignoredRenderingDate ?? known.ignoredRenderingDate
        facts.trashedDate = known.trashedDate
        // The mark is the data by which imports recognize a moved or renamed file. It is kept only if the given asset
        // has the same files as the known one. Otherwise, the next import stores the mark of the new file.
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
            // The picture version (permanent identifier) of the original stays as it is in this library if the original
            // has not changed. Otherwise the original gets a new one. The picture versions in the given asset are not
            // used, because another library has assigned them.
            let keepsOriginal = !isNewer && facts.hasOriginal(of: known)
            facts.adjustment?.originalPicture = keepsOriginal ? known.originalPicture : draft.newPicture()
        }
        // Stores the given thumbnail hash, unless the asset keeps a rendering, which is an edited picture. The asset
        // then shows the rendering, but the given hash is that of the original.
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
    /// Adds the rendering (the edited picture) of `known`, the library's metadata of the asset, to this value. The host
    /// program has given this value, and it describes only the asset's original.
    fileprivate mutating func keepRendering(of known: AssetFacts, _ adjustment: Adjustment) {
        self.adjustment = adjustment
        self.adjustment?.originalHead = head
        self.adjustment?.originalFileSize = fileSize
        resources += known.resources.filter { $0.type.comesByAdjustment }
        head = known.head
        fileSize = known.fileSize
    }

    /// Whether both values list the same photographs, videos and sounds, as one of the signs that the pixels are
    /// unchanged. Renderings are not compared. Bytes in memory are the same if they are equal, and files are the same
    /// if their paths are equal.
    fileprivate func hasSources(of known: AssetFacts) -> Bool {
        Self.photographed(resources) == Self.photographed(known.resources)
    }

    /// The source of the picture that the asset shows. For an adjusted asset, it is the source of the rendering.
    fileprivate var shownSource: AssetResource.Source? { Self.currentResource(of: resources)?.source }

    /// Whether this value and `known` describe the same original. If so, the original keeps its picture version. Either
    /// value may be the metadata of an adjusted asset.
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
