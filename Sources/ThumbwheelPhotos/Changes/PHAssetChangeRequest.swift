import Foundation
import Thumbwheel

/// Changes or creates an asset inside a block of changes. Each property takes effect when it is set.
public class PHAssetChangeRequest: NSObject {
    let block = PHChangeBlock.current
    let identifier: AssetIdentifier
    /// What stands for the asset that the request creates, inside the block and afterwards; nil for a request that changes one.
    public let placeholderForCreatedAsset: PHObjectPlaceholder?

    /// When the photograph was taken.
    public var creationDate: Date? {
        didSet { edit { [creationDate] in $0.creationDate = creationDate } }
    }

    /// The place of the photograph.
    public var location: Location? {
        didSet { edit { [location] in $0.location = location } }
    }

    /// Whether the asset is a favourite.
    public var isFavorite = false {
        didSet { edit { [isFavorite] in $0.isFavorite = isFavorite } }
    }

    /// Whether ordinary fetches leave the asset out.
    public var isHidden = false {
        didSet { edit { [isHidden] in $0.isHidden = isHidden } }
    }

    /// Changes an asset.
    ///
    /// - Precondition: the caller is inside a block of changes; so are the callers of all other methods.
    public init(for asset: PHAsset) {
        identifier = asset.asset.identifier
        placeholderForCreatedAsset = nil
        creationDate = asset.creationDate
        location = asset.location
        isFavorite = asset.isFavorite
        isHidden = asset.isHidden
    }

    /// Creates an asset with an identifier that is known before the asset exists.
    required init(creating identifier: AssetIdentifier) {
        self.identifier = identifier
        placeholderForCreatedAsset = PHObjectPlaceholder(.asset(identifier))
    }

    func edit(_ body: @escaping (inout AssetEdits) -> Void) {
        carryOut { [identifier] transaction throws(ChangeError) in try transaction.edit(identifier, body) }
    }

    /// Carries out an operation on the asset.
    func carryOut(_ operation: @escaping PHChangeBlock.Operation) { block.perform(operation) }

    /// Creates an asset from pixels. They are written to a file in `PHPhotoLibrary.originalsFolder`: a PNG if they
    /// have alpha, otherwise a JPEG of quality 92.
    public class func creationRequestForAsset(from image: PHImage) -> Self {
        let request = self.init(creating: .random())
        let (identifier, block) = (request.identifier, request.block)
        block.perform { transaction throws(ChangeError) in
            try transaction.createAsset(
                from: image.bitmap, identifier: identifier, writingTo: try block.originalsFolder())
        }
        return request
    }

    /// Creates an asset from a photograph's file; nil if it cannot be read as one.
    public class func creationRequestForAssetFromImage(atFileURL url: URL) -> Self? {
        creationRequest(from: .file(path: url.path), of: .photo)
    }

    /// Creates an asset from a video's file; nil if it cannot be read as one.
    public class func creationRequestForAssetFromVideo(atFileURL url: URL) -> Self? {
        creationRequest(from: .file(path: url.path), of: .video)
    }

    private class func creationRequest(from source: AssetResource.Source, of type: PHAssetResourceType) -> Self? {
        let resource = AssetResource(type: type, source: source)
        guard (try? Asset(reading: resource, identifier: .random(), originalFilename: "")) != nil else { return nil }
        let request = self.init(creating: .random())
        let identifier = request.identifier
        request.block.perform { transaction throws(ChangeError) in
            try transaction.createAsset(from: [resource], identifier: identifier)
        }
        return request
    }

    /// Moves assets to Recently Deleted.
    public class func deleteAssets(_ assets: some PHObjectList) {
        let identifiers = assets.assets
        PHChangeBlock.current.perform { transaction throws(ChangeError) in try transaction.deleteAssets(identifiers) }
    }

    /// The recipe and the rendering of an edit, which the asset is to show. The rendering is written to a file in
    /// `PHPhotoLibrary.originalsFolder`.
    public var contentEditingOutput: PHContentEditingOutput? {
        didSet {
            guard let finished = contentEditingOutput?.finished else { return }
            carryOut { [identifier, block] transaction throws(ChangeError) in
                var output = finished
                if output.renderedContent != nil { output.folder = try block.originalsFolder() }
                try transaction.edit(identifier) { [output] in $0.contentEditingOutput = output }
            }
        }
    }

    /// Shows the original again.
    public func revertAssetContentToOriginal() {
        edit { $0.revertAssetContentToOriginal() }
    }
}
