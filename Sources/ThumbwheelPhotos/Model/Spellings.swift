import Thumbwheel

/// The kind of an asset, with PhotoKit's numbers.
public typealias PHAssetMediaType = AssetMediaType
/// The finer kinds of an asset, with PhotoKit's bits.
public typealias PHAssetMediaSubtype = AssetMediaSubtype
/// How an asset is shown.
public typealias PHAssetPlaybackStyle = AssetPlaybackStyle
/// Who chose a photograph among those of its burst.
public typealias PHAssetBurstSelectionType = AssetBurstSelectionType
/// The origins of assets.
public typealias PHAssetSourceType = AssetSourceType
/// The operations that an asset may allow.
public typealias PHAssetEditOperation = AssetEditOperation
/// The operations that a collection may allow.
public typealias PHCollectionEditOperation = CollectionEditOperation
/// The kinds of collections of assets.
public typealias PHAssetCollectionType = AssetCollection.CollectionType
/// The finer kinds of collections of assets.
public typealias PHAssetCollectionSubtype = AssetCollection.Subtype
/// The kinds of lists of collections.
public typealias PHCollectionListType = CollectionList.ListType
/// The finer kinds of lists of collections.
public typealias PHCollectionListSubtype = CollectionList.Subtype
extension AssetSourceType {
    /// The user's own library.
    public static var typeUserLibrary: AssetSourceType { .userLibrary }
    /// A shared album of a cloud service.
    public static var typeCloudShared: AssetSourceType { .cloudShared }
    /// A library synced from another computer.
    public static var typeiTunesSynced: AssetSourceType { .iTunesSynced }
}
