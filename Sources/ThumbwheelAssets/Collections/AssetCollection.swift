import Foundation
import ThumbwheelCore

/// An album, a smart album, a moment or a transient collection of assets (rows 20 to 25).
public struct AssetCollection: LibraryCollection {
    public enum CollectionType: Int, Sendable, CaseIterable {
        case album = 1
        case smartAlbum = 2
        case moment = 3
    }

    public let identifier: CollectionIdentifier
    public let assetCollectionType: CollectionType
    public let assetCollectionSubtype: Subtype
    public let localizedTitle: String?
    public let modificationDate: Date?
    public let startDate: Date?
    public let endDate: Date?
    public let approximateLocation: Location?
    /// About how many assets there are; nil where that takes a fetch to know (row 21).
    public let estimatedAssetCount: Int?
    let content: Content
    let placeNames: PlaceNames?

    /// What a fetch of the collection's assets finds.
    enum Content: Sendable {
        case album
        case smart(any RowTest, AssetQuery.Scope)
        /// Captured from the first date on, and before the second.
        case moment(Double, Double)
        case transient([AssetIdentifier])
    }

    init(
        identifier: CollectionIdentifier, type: CollectionType, subtype: Subtype, title: String?, content: Content,
        modificationDate: Date? = nil, startDate: Date? = nil, endDate: Date? = nil,
        approximateLocation: Location? = nil, placeNames: PlaceNames? = nil, estimatedAssetCount: Int? = nil
    ) {
        self.identifier = identifier
        assetCollectionType = type
        assetCollectionSubtype = subtype
        localizedTitle = title
        self.content = content
        self.modificationDate = modificationDate
        self.placeNames = placeNames
        self.startDate = startDate
        self.endDate = endDate
        self.approximateLocation = approximateLocation
        self.estimatedAssetCount = estimatedAssetCount
    }

    /// - Parameter tellsCount: not to those who may not see all of the album's assets.
    init(_ record: CollectionRecord, in snapshot: Snapshot, tellsCount: Bool) {
        self.init(
            identifier: record.identifier, type: .album, subtype: Subtype(rawValue: record.subtype),
            title: record.title, content: .album, modificationDate: record.modificationDate,
            estimatedAssetCount: tellsCount ? snapshot.countOfAlive(record.rows) : nil)
    }

    /// A collection in memory that can be fetched from like any other, and not be edited or put into folders (row 25).
    public static func transientAssetCollection(
        with assets: some Sequence<Asset>, title: String? = nil
    ) -> AssetCollection {
        let identifiers = assets.map(\.identifier)
        return AssetCollection(
            identifier: .transient(.album), type: .album, subtype: .albumRegular, title: title,
            content: .transient(identifiers), estimatedAssetCount: identifiers.count)
    }

    public var localizedLocationNames: [String] { approximateLocation.flatMap { placeNames?($0) } ?? [] }

    public var item: CollectionItem { .album(self) }

    public var isTransient: Bool {
        if case .transient = content { true } else { false }
    }

    public var canContainAssets: Bool { true }

    public var canContainCollections: Bool { false }

    /// Of the library's own albums everything but what folders do; of all others nothing (rows 19 and 88).
    public func canPerform(_ operation: CollectionEditOperation) -> Bool {
        guard case .album = content else { return false }
        return assetCollectionSubtype == .albumRegular
    }
}

extension AssetCollection {
    /// PhotoKit's numbers (row 20).
    public struct Subtype: RawRepresentable, Sendable, Hashable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        public static let albumRegular = Subtype(rawValue: 2)
        public static let albumSyncedEvent = Subtype(rawValue: 3)
        public static let albumSyncedFaces = Subtype(rawValue: 4)
        public static let albumSyncedAlbum = Subtype(rawValue: 5)
        public static let albumImported = Subtype(rawValue: 6)
        public static let albumMyPhotoStream = Subtype(rawValue: 100)
        public static let albumCloudShared = Subtype(rawValue: 101)
        public static let smartAlbumGeneric = Subtype(rawValue: 200)
        public static let smartAlbumPanoramas = Subtype(rawValue: 201)
        public static let smartAlbumVideos = Subtype(rawValue: 202)
        public static let smartAlbumFavorites = Subtype(rawValue: 203)
        public static let smartAlbumTimelapses = Subtype(rawValue: 204)
        public static let smartAlbumAllHidden = Subtype(rawValue: 205)
        public static let smartAlbumRecentlyAdded = Subtype(rawValue: 206)
        public static let smartAlbumBursts = Subtype(rawValue: 207)
        public static let smartAlbumSlomoVideos = Subtype(rawValue: 208)
        public static let smartAlbumUserLibrary = Subtype(rawValue: 209)
        public static let smartAlbumSelfPortraits = Subtype(rawValue: 210)
        public static let smartAlbumScreenshots = Subtype(rawValue: 211)
        public static let smartAlbumDepthEffect = Subtype(rawValue: 212)
        public static let smartAlbumLivePhotos = Subtype(rawValue: 213)
        public static let smartAlbumAnimated = Subtype(rawValue: 214)
        public static let smartAlbumLongExposures = Subtype(rawValue: 215)
        public static let smartAlbumUnableToUpload = Subtype(rawValue: 216)
        public static let smartAlbumRAW = Subtype(rawValue: 217)
        public static let smartAlbumCinematic = Subtype(rawValue: 218)
        public static let smartAlbumSpatial = Subtype(rawValue: 219)
        public static let smartAlbumScreenRecordings = Subtype(rawValue: 220)
        public static let smartAlbumRecentlyDeleted = Subtype(rawValue: 1_000_000_201)
        /// In a fetch, every subtype.
        public static let any = Subtype(rawValue: .max)
    }
}
