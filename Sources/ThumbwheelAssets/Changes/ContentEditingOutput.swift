/// The outcome of an edit: the new picture of an asset and the recipe that made it. A transaction commits it by
/// `AssetEdits.contentEditingOutput`; see <doc:Semantics#Editing>.
public struct ContentEditingOutput: Sendable {
    /// The asset that was edited.
    public let asset: AssetIdentifier
    /// The recipe of the edit. An output without a recipe is refused.
    public var adjustmentData: AdjustmentData?
    /// The place of the rendered picture, an image file of any format that the library reads. An output without it is
    /// refused.
    public var renderedContent: AssetResource.Source? {
        get { rendering?.source }
        set { rendering = newValue.map { AssetResource(type: .fullSizePhoto, source: $0) } }
    }
    /// The rendered picture, with its head if `readRenderedContent` has read it.
    private(set) var rendering: AssetResource?
    /// The photograph that the recipe applies to, unless it is the asset's original.
    let base: AssetResource.Source?

    /// - Parameter base: the photograph that the recipe applies to; nil for the asset's original.
    package init(asset: AssetIdentifier, base: AssetResource.Source?) {
        self.asset = asset
        self.base = base
    }

    /// Makes the output of an edit of an asset that the same transaction creates.
    public init(placeholderForCreatedAsset placeholder: AssetPlaceholder) {
        self.init(asset: placeholder.identifier, base: nil)
    }

    /// Reads the head of the rendered picture. A rendering that needs a network is refused by a transaction unless this has
    /// been called; see `AssetResource.readingHead()`.
    ///
    /// - Throws: `ChangeError`: `.invalidResource` for a rendering that cannot be read or is not an image,
    ///   `.invalidContentEditingOutput` if there is no rendering.
    public mutating func readRenderedContent() async throws(ChangeError) {
        guard let rendering else { throw ChangeError(.invalidContentEditingOutput(asset)) }
        self.rendering = try await rendering.readingHead()
    }
}
