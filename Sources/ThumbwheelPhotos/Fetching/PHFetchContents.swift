import Thumbwheel

/// The values of a fetch result, by what was fetched.
enum PHFetchContents: Sendable {
    case assets(FetchResult<Asset>)
    case albums(FetchResult<AssetCollection>)
    case lists(FetchResult<CollectionList>)
    case collections(FetchResult<CollectionItem>)

    var count: Int {
        switch self {
        case .assets(let result): result.count
        case .albums(let result): result.count
        case .lists(let result): result.count
        case .collections(let result): result.count
        }
    }

    func object(at index: Int) -> PHObject {
        switch self {
        case .assets(let result): PHAsset(result[index])
        case .albums(let result): PHAssetCollection(result[index])
        case .lists(let result): PHCollectionList(result[index])
        case .collections(let result): PHCollection.object(of: result[index])
        }
    }

    private func identity(at index: Int) -> PHObject.Identity {
        switch self {
        case .assets(let result): .asset(result[index].identifier)
        case .albums(let result): .collection(result[index].identifier)
        case .lists(let result): .collection(result[index].identifier)
        case .collections(let result): .collection(result[index].identifier)
        }
    }

    /// The identities of all objects, in order.
    var identities: [PHObject.Identity] { (0..<count).map { identity(at: $0) } }

    /// The index of an object within a range; nil if it is not there.
    func index(of object: PHObject, in range: Range<Int>? = nil) -> Int? {
        (range ?? 0..<count).first { identity(at: $0) == object.identity }
    }

    func countOfAssets(with type: AssetMediaType) -> Int {
        guard case .assets(let result) = self else { return 0 }
        return result.countOfAssets(with: type)
    }

    func hasSameObjects(as other: PHFetchContents) -> Bool {
        count == other.count && (0..<count).allSatisfy { identity(at: $0) == other.identity(at: $0) }
    }
}
