import ThumbwheelCore
import ThumbwheelFormats

extension AssetResource {
    /// Returns the resources of an asset, with the names, types and lengths that the asset knows. No file is opened.
    ///
    /// The resource that was imported has the asset's original filename. Other resources without a name get one that
    /// shows their purpose, such as `FullSizeRender.jpg`.
    public static func assetResources(for asset: Asset) -> [AssetResource] {
        let facts = asset.facts
        return facts.resources.map { $0.described(by: facts, of: asset.identifier) }
    }

    private func described(by asset: AssetFacts, of identifier: AssetIdentifier) -> AssetResource {
        let isImported = asset.importedResource == self
        let isCurrent = AssetFacts.currentResource(of: asset.resources) == self
        let contentType = contentType ?? asset.contentType(ofImported: isImported, current: isCurrent)
        var described = self
        described.facts = Facts(
            originalFilename: isImported
                ? asset.originalFilename
                : originalFilename ?? defaultFilename(contentType, beside: asset.originalFilename),
            contentType: contentType,
            byteCount: asset.byteCount(ofImported: isImported, current: isCurrent) ?? byteCount,
            pixelSize: asset.pixelSize(ofImported: isImported, current: isCurrent), asset: identifier)
        return described
    }

    /// Returns a filename for a resource that has none. A resource that an edit has added gets a name that shows its
    /// purpose. Any other resource gets the name of the asset's imported file, with an extension for the content type
    /// of the resource.
    ///
    /// - Parameter original: the name of the file from which the asset was imported.
    private func defaultFilename(_ contentType: ContentType?, beside original: String) -> String {
        let stem =
            switch type {
            case .photo, .video, .audio, .alternatePhoto, .pairedVideo: FilePath(original).lastStem
            case .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo: "FullSizeRender"
            case .adjustmentData: "Adjustments"
            case .adjustmentBasePhoto, .adjustmentBaseVideo, .adjustmentBasePairedVideo: "AdjustmentBase"
            case .photoProxy: "Proxy"
            }
        let ending = contentType?.filenameExtension ?? (type == .adjustmentData ? "data" : nil)
        return ending.map { stem + "." + $0 } ?? stem
    }
}

extension AssetFacts {
    /// The resource from which the asset was imported or created.
    fileprivate var importedResource: AssetResource? {
        for type in [AssetResourceType.photo, .video, .audio] {
            if let resource = resources.first(where: { $0.type == type }) { return resource }
        }
        return nil
    }

    fileprivate func contentType(ofImported isImported: Bool, current isCurrent: Bool) -> ContentType? {
        if isImported { return adjustment?.originalHead.contentType ?? head.contentType }
        return isCurrent ? head.contentType : nil
    }

    fileprivate func pixelSize(ofImported isImported: Bool, current isCurrent: Bool) -> PixelSize? {
        let shown = isImported ? adjustment?.originalHead ?? head : isCurrent ? head : nil
        // An empty size means that the size is not known.
        return shown.flatMap { $0.displaySize.isEmpty ? nil : $0.displaySize }
    }

    fileprivate func byteCount(ofImported isImported: Bool, current isCurrent: Bool) -> Int? {
        if isImported { return adjustment?.originalFileSize ?? fileSize }
        return isCurrent ? fileSize : nil
    }
}
