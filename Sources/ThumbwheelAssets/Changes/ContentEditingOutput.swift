/// The result of editing an asset: its new picture, and the adjustment data that describes how the picture was made. A
/// transaction stores the output if it is assigned to `AssetEdits.contentEditingOutput`; see <doc:Semantics#Editing>.
public struct ContentEditingOutput: Sendable {
    /// The asset that was edited.
    public let asset: AssetIdentifier
    /// The description of the edit. A transaction refuses an output without adjustment data.
    public var adjustmentData: AdjustmentData?
    /// The file or the bytes of the new picture, an image in any format that the library reads. A transaction refuses
    /// an output without it.
    public var renderedContent: AssetResource.Source? {
        get { rendering?.source }
        set { rendering = newValue.map { AssetResource(type: .fullSizePhoto, source: $0) } }
    }
    /// The new picture as a resource. It includes the metadata at the start of the picture's file if
    /// `readRenderedContent` has read it.
    private(set) var rendering: AssetResource?
    /// The photograph to which the adjustment data applies; nil for the asset's original.
    let base: AssetResource.Source?
    /// The folder in which a transaction writes a new picture to a file if it is bytes in memory; nil keeps the bytes
    /// in memory and in the library's file.
    package var folder: String?

    /// Makes the output of an edit of an asset that is already in the library.
    ///
    /// - Parameter base: the photograph to which the adjustment data applies; nil for the asset's original.
    package init(asset: AssetIdentifier, base: AssetResource.Source?) {
        self.asset = asset
        self.base = base
    }

    /// Makes the output of an edit of an asset that is created in the same transaction.
    public init(placeholderForCreatedAsset placeholder: AssetPlaceholder) {
        self.init(asset: placeholder.identifier, base: nil)
    }

    /// Reads the metadata at the start of the new picture's file, such as its type and size. A transaction refuses a
    /// picture that has to be read over a network unless this method has been called before; see
    /// `AssetResource.readingHead()`.
    ///
    /// - Throws: `ChangeError`: `.invalidResource` if the picture cannot be read or is not an image,
    ///   `.invalidContentEditingOutput` if there is no picture.
    public mutating func readRenderedContent() async throws(ChangeError) {
        guard let rendering else { throw ChangeError(.invalidContentEditingOutput(asset)) }
        self.rendering = try await rendering.readingHead()
    }
}
