import Foundation
import ThumbwheelCore

/// An album, a smart album, a moment or a transient collection of assets.
public struct AssetCollection: LibraryCollection {
    /// The kinds of collections, with PhotoKit's numbers.
    public enum CollectionType: Int, Sendable, CaseIterable {
        /// An album that was made in the library, or that the host program copies from another source.
        case album = 1
        /// A smart album: all assets that meet a condition. The condition is evaluated at each fetch; see
        /// <doc:Semantics#Smart-albums>.
        case smartAlbum = 2
        /// A moment: the assets that were taken on one day; see <doc:Semantics#Moments>.
        case moment = 3
    }

    /// The identifier. Collections with the same identifier are equal.
    public let identifier: CollectionIdentifier
    /// The kind of the collection.
    public let assetCollectionType: CollectionType
    /// The subtype, which describes the kind more precisely.
    public let assetCollectionSubtype: Subtype
    /// The title; nil for moments, and for transient collections that were made without a title.
    public let localizedTitle: String?
    public let modificationDate: Date?
    /// The number of assets that a fetch without options finds; nil if the number is known only after a fetch. See
    /// <doc:Semantics#Counts>.
    ///
    /// - Complexity: for an album, the first call takes time linear in the number of assets. Later calls take constant
    ///   time.
    public var estimatedAssetCount: Int? { if case .album(let extent) = extent { extent.count } else { knownCount } }
    private let knownCount: Int?
    let content: Content
    let extent: CollectionExtent
    let placeNames: PlaceNames?

    /// The rule by which a fetch finds the assets of the collection.
    enum Content: Sendable {
        case album
        case smart(any RowTest, AssetQuery.Scope)
        /// The assets that were taken at or after the first date and before the second one, in seconds since the
        /// reference date.
        case moment(Double, Double)
        case transient([AssetIdentifier])
    }

    init(
        identifier: CollectionIdentifier, type: CollectionType, subtype: Subtype, title: String?, content: Content,
        modificationDate: Date? = nil, extent: CollectionExtent = .unknown, placeNames: PlaceNames? = nil,
        estimatedAssetCount: Int? = nil
    ) {
        self.identifier = identifier
        assetCollectionType = type
        assetCollectionSubtype = subtype
        localizedTitle = title
        self.content = content
        self.modificationDate = modificationDate
        self.placeNames = placeNames
        self.extent = extent
        knownCount = estimatedAssetCount
    }

    /// Makes an album from its record in a snapshot.
    ///
    /// - Parameter seesAll: whether the user may see all assets. If not, the album has no asset count, no dates and no
    ///   location, because they would tell the user about hidden assets.
    init(_ record: CollectionRecord, in snapshot: Snapshot, seesAll: Bool, placeNames: PlaceNames?) {
        self.init(
            identifier: record.identifier, type: .album, subtype: Subtype(rawValue: record.subtype),
            title: record.title, content: .album, modificationDate: record.modificationDate,
            extent: seesAll ? .album(AlbumExtent(record.identifier, in: snapshot)) : .unknown, placeNames: placeNames)
    }

    /// Whether `estimatedAssetCount` is known without a fetch. The answer takes constant time.
    var tellsCount: Bool { if case .album = extent { true } else { knownCount != nil } }

    /// Makes a collection that exists only in memory. Its assets can be fetched like those of any other collection; see
    /// <doc:Semantics#Transient-collections>.
    public static func transientAssetCollection(
        with assets: some Sequence<Asset>, title: String? = nil
    ) -> AssetCollection {
        let identifiers = assets.map(\.identifier)
        return AssetCollection(
            identifier: .transient(.album), type: .album, subtype: .albumRegular, title: title,
            content: .transient(identifiers), estimatedAssetCount: identifiers.count)
    }

    /// The date of the earliest asset in the moment or album. It is nil if no asset has a date, if the collection is of
    /// another kind, or if it is an album and the user may not see all assets of the library.
    ///
    /// - Complexity: for an album, the first call of `startDate`, `endDate`, `approximateLocation` or
    ///   `localizedLocationNames` takes time linear in the number of assets. Later calls take constant time.
    public var startDate: Date? { extent.bounds?.start }

    /// The date of the latest asset in the moment or album. It is nil if no asset has a date, if the collection is of
    /// another kind, or if it is an album and the user may not see all assets of the library.
    ///
    /// - Complexity: for an album, the first call of `startDate`, `endDate`, `approximateLocation` or
    ///   `localizedLocationNames` takes time linear in the number of assets. Later calls take constant time.
    public var endDate: Date? { extent.bounds?.end }

    /// The location of the first asset in the moment or album that has a location. It is nil if no asset has a
    /// location, if the collection is of another kind, or if it is an album and the user may not see all assets of the
    /// library.
    ///
    /// - Complexity: for an album, the first call of `startDate`, `endDate`, `approximateLocation` or
    ///   `localizedLocationNames` takes time linear in the number of assets. Later calls take constant time.
    public var approximateLocation: Location? { extent.bounds?.place }

    public var localizedLocationNames: [String] { approximateLocation.flatMap { placeNames?($0) } ?? [] }

    public var item: CollectionItem { .album(self) }

    /// Whether the collection exists only in memory.
    public var isTransient: Bool {
        if case .transient = content { true } else { false }
    }

    /// Always true: the members of an asset collection are assets.
    public var canContainAssets: Bool { true }

    /// Always false: the members of an asset collection are assets.
    public var canContainCollections: Bool { false }

    /// Whether the collection allows an operation. Albums that were made in the library allow all operations; other
    /// collections allow none.
    public func canPerform(_ operation: CollectionEditOperation) -> Bool {
        guard case .album = content else { return false }
        return assetCollectionSubtype == .albumRegular
    }
}

extension AssetCollection {
    /// The subtypes of asset collections, with PhotoKit's numbers.
    public struct Subtype: RawRepresentable, Sendable, Hashable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// An album that users make and edit.
        public static let albumRegular = Subtype(rawValue: 2)
        /// An album with the pictures of one event, as iPhoto makes them, synced from another library.
        public static let albumSyncedEvent = Subtype(rawValue: 3)
        /// A face album synced from another library.
        public static let albumSyncedFaces = Subtype(rawValue: 4)
        /// An album synced from another library.
        public static let albumSyncedAlbum = Subtype(rawValue: 5)
        /// An album of imported assets.
        public static let albumImported = Subtype(rawValue: 6)
        /// The user's photo stream.
        public static let albumMyPhotoStream = Subtype(rawValue: 100)
        /// A shared album of a cloud service.
        public static let albumCloudShared = Subtype(rawValue: 101)
        /// A smart album for which PhotoKit has no other subtype. This library has no such album.
        public static let smartAlbumGeneric = Subtype(rawValue: 200)
        /// All panoramas.
        public static let smartAlbumPanoramas = Subtype(rawValue: 201)
        /// All videos.
        public static let smartAlbumVideos = Subtype(rawValue: 202)
        /// All favourites.
        public static let smartAlbumFavorites = Subtype(rawValue: 203)
        /// All time-lapse videos.
        public static let smartAlbumTimelapses = Subtype(rawValue: 204)
        /// All assets that are hidden from ordinary fetches.
        public static let smartAlbumAllHidden = Subtype(rawValue: 205)
        /// The assets that were added recently; see `PhotoLibrary.Configuration.recentlyAddedInterval`.
        public static let smartAlbumRecentlyAdded = Subtype(rawValue: 206)
        /// One representative photograph of each burst.
        public static let smartAlbumBursts = Subtype(rawValue: 207)
        /// All videos that were recorded at a high frame rate.
        public static let smartAlbumSlomoVideos = Subtype(rawValue: 208)
        /// All assets that come from the user's own library.
        public static let smartAlbumUserLibrary = Subtype(rawValue: 209)
        /// All photographs that were taken with the front camera of a phone.
        public static let smartAlbumSelfPortraits = Subtype(rawValue: 210)
        /// All screenshots.
        public static let smartAlbumScreenshots = Subtype(rawValue: 211)
        /// All photographs with a depth effect.
        public static let smartAlbumDepthEffect = Subtype(rawValue: 212)
        /// All live photos.
        public static let smartAlbumLivePhotos = Subtype(rawValue: 213)
        /// All animated pictures.
        public static let smartAlbumAnimated = Subtype(rawValue: 214)
        /// All photographs exposed for a second or more.
        public static let smartAlbumLongExposures = Subtype(rawValue: 215)
        /// The assets that could not be uploaded. This library never returns such an album.
        public static let smartAlbumUnableToUpload = Subtype(rawValue: 216)
        /// All assets in a camera's raw format, alone or beside a JPEG.
        public static let smartAlbumRAW = Subtype(rawValue: 217)
        /// All cinematic videos.
        public static let smartAlbumCinematic = Subtype(rawValue: 218)
        /// All spatial photographs and videos.
        public static let smartAlbumSpatial = Subtype(rawValue: 219)
        /// All screen recordings.
        public static let smartAlbumScreenRecordings = Subtype(rawValue: 220)
        /// The assets in Recently Deleted. PhotoKit uses this number but has no public name for it.
        public static let smartAlbumRecentlyDeleted = Subtype(rawValue: 1_000_000_201)
        /// Any subtype. Use it in fetches.
        public static let any = Subtype(rawValue: .max)
    }
}
