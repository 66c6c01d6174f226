import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering

/// The picture from which an edit starts: its file, and the asset and version to render for the editor's window.
struct EditingSubject {
    let adjustmentData: AdjustmentData?
    let file: AssetResource
    /// The asset from which the editor's picture is rendered, in the version `version`. There are two cases:
    ///
    /// - Usually, it is the asset that the user edits.
    /// - If the editor continues an earlier edit, and the edited asset has a resource `adjustmentBasePhoto`, it is a
    ///   temporary asset. The resource is a file with the picture from which the earlier edit started. No version of
    ///   the edited asset shows this picture, and a manager renders only assets, so an asset is made from the file.
    let shownAsset: Asset
    let version: ImageVersion

    /// Finds the picture from which an edit of `asset` starts. If an earlier edit has left adjustment data in the
    /// asset, these data are read, and `options.canHandleAdjustmentData` tells whether the editor continues the earlier
    /// edit. The calling thread may have to wait for a disk or a network.
    init(_ asset: Asset, _ options: ContentEditingInputRequestOptions) throws(ImageRequestError) {
        guard asset.mediaType == .image else { throw .unsupportedMedia }
        let recipe = try Self.recipe(of: asset, options)
        guard let recipe, options.canHandleAdjustmentData(recipe) else {
            (adjustmentData, file) = (nil, asset.resource)
            (shownAsset, version) = (asset, .current)
            return
        }
        adjustmentData = recipe
        if let base = asset.resources.first(where: { $0.type == .adjustmentBasePhoto }) {
            guard base.isLocallyAvailable || options.isNetworkAccessAllowed else { throw .networkAccessRequired }
            file = base
            (shownAsset, version) = (try Self.asset(showing: base), .current)
        } else {
            file = asset.resource(of: .unadjusted)
            (shownAsset, version) = (asset, .unadjusted)
        }
    }

    /// The facts in the header of the file from which the editor's picture is rendered.
    var head: ImageHead { shownAsset.head(of: version) ?? shownAsset.head }

    private static func recipe(
        of asset: Asset, _ options: ContentEditingInputRequestOptions
    ) throws(ImageRequestError) -> AdjustmentData? {
        guard let resource = asset.resources.first(where: { $0.type == .adjustmentData }) else { return nil }
        guard resource.isLocallyAvailable || options.isNetworkAccessAllowed else { throw .networkAccessRequired }
        return asset.adjustmentData
    }

    private static func asset(showing base: AssetResource) throws(ImageRequestError) -> Asset {
        do throws(HeadError) {
            return try Asset(reading: AssetResource(source: base.source), originalFilename: "AdjustmentBase")
        } catch {
            if case .source(let error) = error { throw ImageRequestError(.source(error)) }
            throw .rendering(.malformed(reason: error.description))
        }
    }
}
