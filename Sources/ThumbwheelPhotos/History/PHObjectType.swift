/// The classes of objects whose changes the history tells, with PhotoKit's numbers.
public enum PHObjectType: Int, Sendable {
    /// Photographs and videos.
    case asset = 1
    /// Albums.
    case assetCollection = 2
    /// Folders.
    case collectionList = 3
}
