import Foundation
import Thumbwheel

/// Creates an asset from its files. The asset is created at the end of the block, or as soon as another request of the block
/// needs it; files that are added later make the block fail.
public final class PHAssetCreationRequest: PHAssetChangeRequest {
    /// What has been added so far.
    private final class Contents {
        var resources: [AssetResource] = []
        var originalFilename: String?
        // The indexes of the resources whose files move into the library's folder.
        var movedIndexes = IndexSet()
    }

    private let contents = Contents()

    /// Creates an asset to which files are added.
    public static func forAsset() -> PHAssetCreationRequest {
        let request = PHAssetCreationRequest(creating: .random())
        let (identifier, contents, block) = (request.identifier, request.contents, request.block)
        block.createLater { transaction throws(ChangeError) in
            var folders: [Int: String] = [:]
            for index in contents.movedIndexes { folders[index] = try block.originalsFolder() }
            let hasBytes = contents.resources.contains { if case .bytes = $0.source { true } else { false } }
            try transaction.createAsset(
                from: contents.resources, originalFilename: contents.originalFilename, identifier: identifier,
                moving: folders, writingBytesTo: hasBytes ? try block.originalsFolder() : nil)
        }
        return request
    }

    /// Whether an asset can have files of these kinds together.
    public static func supportsAssetResourceTypes(_ types: [PHAssetResourceType]) -> Bool {
        LibraryTransaction.supportsAssetResourceTypes(types)
    }

    /// Adds a file, which stays where it is unless the options say that it moves.
    public func addResource(
        with type: PHAssetResourceType, fileURL: URL, options: PHAssetResourceCreationOptions?
    ) {
        if options?.shouldMoveFile == true { contents.movedIndexes.insert(contents.resources.count) }
        add(type, .file(path: fileURL.path), options)
    }

    /// Adds the bytes of a file, which is written to `PHPhotoLibrary.originalsFolder`.
    public func addResource(with type: PHAssetResourceType, data: Data, options: PHAssetResourceCreationOptions?) {
        add(type, .bytes([UInt8](data)), options)
    }

    /// Carries out an operation on the asset once it has been created, so that an edit does not end the list of its
    /// files.
    override func carryOut(_ operation: @escaping PHChangeBlock.Operation) { block.createLater(operation) }

    private func add(
        _ type: PHAssetResourceType, _ source: AssetResource.Source, _ options: PHAssetResourceCreationOptions?
    ) {
        contents.resources.append(
            AssetResource(
                type: type, source: source, originalFilename: options?.originalFilename,
                contentType: options?.contentType))
        contents.originalFilename = contents.originalFilename ?? options?.originalFilename
    }
}
