import Foundation
import ThumbwheelCore
import ThumbwheelFormats

extension LibraryTransaction {
    /// Gives an asset a new rendering (an edited picture) and the adjustment data that describes the edit. The original
    /// is kept.
    ///
    /// - Throws: `ChangeError`: `.assetNotEditable` if the asset is not a photograph or does not come from the user's
    ///   own library; `.invalidResource` if the rendering is not an image; `.networkAccessRequired` if the rendering is
    ///   reached over a network and `AssetResource.readingHead()` has not read the metadata at the start of its file.
    public mutating func setAdjusted(
        _ asset: some AssetReference, rendering: AssetResource, adjustmentData: AdjustmentData
    ) throws(ChangeError) {
        try attempt { transaction throws(ChangeError) in
            let row = try transaction.row(of: asset)
            try transaction.adjust(row, asset.identifier, rendering: rendering, adjustmentData, base: nil)
        }
    }

    /// Gives an asset a new rendering (an edited picture) and the adjustment data that describes the edit.
    ///
    /// - Parameters:
    ///   - base: the photograph to which the adjustment data applies; nil for the asset's original.
    ///   - folder: the folder in which a rendering that is bytes in memory is written to a file; nil keeps the bytes in
    ///     memory.
    func adjust(
        _ row: UInt32, _ identifier: AssetIdentifier, rendering: AssetResource, _ recipe: AdjustmentData,
        base: AssetResource.Source?, writingBytesTo folder: String? = nil
    ) throws(ChangeError) {
        try requireOperation(.content, identifier, row)
        let (head, byteCount) = try Self.head(of: rendering)
        var facts = draft.read(row) { $0.facts(at: $1) }
        var rendering = rendering
        facts.adjustment = AssetFacts.Adjustment(
            formatIdentifier: recipe.formatIdentifier, formatVersion: recipe.formatVersion,
            originalHead: facts.adjustment?.originalHead ?? facts.head,
            originalFileSize: facts.adjustment?.originalFileSize ?? facts.fileSize,
            originalPicture: facts.adjustment?.originalPicture ?? facts.picture)
        let isSamePicture = Self.areSameBytes(
            rendering.source, AssetFacts.currentResource(of: facts.resources)?.source)
        if let folder {
            let name = FilePath(facts.originalFilename).lastStem + " edited"
            let file = head.contentType.filenameExtension.map { name + "." + $0 } ?? name
            try write(&rendering, beside: file, to: folder)
        }
        facts.removeAdjustment()
        if let base { facts.resources.append(AssetResource(type: .adjustmentBasePhoto, source: base)) }
        facts.resources.append(AssetResource(type: .fullSizePhoto, source: rendering.source))
        facts.resources.append(AssetResource(type: .adjustmentData, source: .bytes(recipe.data)))
        facts.head = head
        facts.fileSize = byteCount
        // The files of the edit count among the files of the asset, so that the next import does not take them for
        // changed ones.
        if let newest = facts.newestFileDate {
            facts.newestFileDate = facts.fileDates(where: { $0.type.comesByAdjustment }).reduce(newest, max)
        }
        rewrite(row, identifier, facts, hasNewPixels: !isSamePicture)
    }

    /// Returns whether two sources certainly have the same bytes. Only bytes in memory are compared: a file may have
    /// been rewritten under the same name.
    private static func areSameBytes(_ one: AssetResource.Source, _ other: AssetResource.Source?) -> Bool {
        if case .bytes(let one) = one, case .bytes(let other) = other { one == other } else { false }
    }

    /// Removes the rendering (the edited picture) of an asset, so that the asset shows its original again.
    ///
    /// - Throws: `ChangeError`: `.notAdjusted` if the asset has no rendering.
    public mutating func revertToOriginal(_ asset: some AssetReference) throws(ChangeError) {
        try attempt { transaction throws(ChangeError) in
            try transaction.revert(try transaction.row(of: asset), asset.identifier)
        }
    }

    func revert(_ row: UInt32, _ identifier: AssetIdentifier) throws(ChangeError) {
        try requireOperation(.content, identifier, row)
        var facts = draft.read(row) { $0.facts(at: $1) }
        guard let adjustment = facts.adjustment else { throw ChangeError(.notAdjusted(identifier)) }
        facts.head = adjustment.originalHead
        facts.fileSize = adjustment.originalFileSize
        facts.adjustment = nil
        facts.removeAdjustment()
        rewrite(row, identifier, facts, hasNewPixels: true)
    }

    /// The content version of a new asset whose metadata the library itself reads from a file. (For other assets, the
    /// program that uses this library states the version.) A content version is a number that rises when the asset's
    /// pixels change.
    ///
    /// The value is the number of the transaction, which is higher than the numbers of all earlier transactions. So if
    /// a new asset gets the identifier of a deleted asset, it has a higher first version than the deleted asset had,
    /// and their pictures can be told apart. The value stops at `UInt32.max`. From then on, only `PictureVersion` tells
    /// old and new pictures apart.
    var firstContentVersion: UInt32 { UInt32(clamping: draft.number) }

    /// Writes new metadata of an asset. If the asset shows new pixels, this method gives it a new `contentVersion` and
    /// a new `PictureVersion`; the caller leaves the old ones in `facts`.
    func rewrite(_ row: UInt32, _ identifier: AssetIdentifier, _ facts: AssetFacts, hasNewPixels: Bool) {
        var facts = facts
        if hasNewPixels {
            facts.contentVersion = max(facts.contentVersion.successor, firstContentVersion)
            facts.picture = draft.newPicture()
        }
        touch(row) { [facts] columns, slot in
            var facts = facts
            let isSourceMissing = columns[.sourceMissing, slot]
            facts.modificationDate = date
            columns.write(facts, identifier, at: slot)
            columns[.sourceMissing, slot] = isSourceMissing
        }
    }
}

extension AssetFacts {
    /// Removes the files of an edit. If a phone has made them, they still lie beside the original, so their date is
    /// noted: imports must not add them again.
    fileprivate mutating func removeAdjustment() {
        let files = resources.filter(\.type.comesByAdjustment).compactMap(\.filePath).map { FileKinship(FilePath($0)) }
        resources.removeAll { $0.type.comesByAdjustment }
        guard !files.isEmpty, let newest = newestFileDate else { return }
        if files.contains(where: { $0.isRendering || $0.isAdjustmentData }) {
            ignoredRenderingDate = max(ignoredRenderingDate ?? newest, newest)
        }
        // The date of the newest file is now that of a file that is left. If one of them has changed since its import,
        // the former date stays, so that the next import notices the change.
        if let date = fileDates(where: { _ in true }).max(), date < newest { newestFileDate = date }
    }

    /// The present modification dates of the files of some resources. A file whose date cannot be read is left out.
    fileprivate func fileDates(where isWanted: (AssetResource) -> Bool) -> [Date] {
        resources.filter(isWanted).compactMap { resource in
            resource.filePath.flatMap { try? FileStatus(path: $0) }?.modificationDate
        }
    }
}

extension UInt32 {
    /// The next content version: this number plus one, or `UInt32.max` if this number is already `UInt32.max`.
    var successor: UInt32 { self == .max ? self : self + 1 }
}

extension Asset {
    /// The asset's adjustment data; nil if the asset is not adjusted or the data cannot be read. Each call reads the
    /// data from its file or its provider, and the calling thread waits for that.
    public var adjustmentData: AdjustmentData? {
        let facts = facts
        guard let adjustment = facts.adjustment,
            let resource = facts.resources.first(where: { $0.type == .adjustmentData }),
            let bytes = try? resource.open().bytes()
        else { return nil }
        return AdjustmentData(
            formatIdentifier: adjustment.formatIdentifier, formatVersion: adjustment.formatVersion, data: bytes)
    }
}
