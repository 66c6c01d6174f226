import Foundation

extension ChangeError: CustomStringConvertible {
    /// The texts of all reasons, separated by semicolons.
    public var description: String { reasons.map(\.description).joined(separator: "; ") }
}

extension ChangeError.Reason: CustomStringConvertible {
    /// An English text that states the reason and names the asset, collection or file concerned, if there is one.
    public var description: String {
        switch self {
        case .unknownAsset(let asset): "there is no asset \(asset)"
        case .unknownCollection(let collection): "there is no collection \(collection)"
        case .collectionNotEditable(let collection): "the collection \(collection) cannot be edited so"
        case .assetNotEditable(let asset, let operation): "the asset \(asset) does not allow \(operation)"
        case .indexOutOfRange(let index, let count): "there is no place \(index) among \(count)"
        case .countMismatch(let indexes, let items): "\(indexes) indexes are given for \(items) items"
        case .duplicateAsset(let asset): "the asset \(asset) is there already, or is given twice"
        case .duplicateCollection(let collection): "the collection \(collection) is there already, or is given twice"
        case .cyclicFolder(let folder): "the folder \(folder) would be inside itself"
        case .notInAFolder(let collection): "the collection \(collection) is in no folder"
        case .notRecentlyDeleted(let asset): "the asset \(asset) is not in Recently Deleted"
        case .notAdjusted(let asset): "the asset \(asset) has not been adjusted"
        case .invalidResource(let error): "a resource is invalid: \(error)"
        case .networkAccessRequired(let provider):
            "the head of \(provider) has to be read over a network, before the transaction"
        case .wrongContentType(let stated, let found):
            "a resource is stated to be \(stated), and is \(found.map { "\($0)" } ?? "of no known type")"
        case .invalidContentEditingOutput(let asset):
            "the output of an edit of \(asset) lacks its recipe or its rendering, or is of another asset"
        case .missingResource: "neither a photograph nor a video is among the resources"
        case .unwritable(let path, let code): "\(path) cannot be written: \(String(cString: strerror(code)))"
        case .accessUserDenied: "the library's policy refuses the change"
        case .libraryUnavailable: "the library is not available"
        case .unsupportedResource(let kind): "an asset cannot be created with a resource of the kind \(kind)"
        case .transactionEnded: "the transaction had ended"
        case .inconsistent(let reason): "the change would leave the library inconsistent: \(reason)"
        case .nestedTransaction: "a transaction of the same library was under way on this thread"
        }
    }
}

extension PersistentChangeError: CustomStringConvertible {
    /// The text of the error.
    public var description: String {
        switch self {
        case .tokenExpired: "the token is older than the history, or is of another library"
        case .detailsUnavailable: "the transaction touched more objects than the history lists"
        }
    }
}
