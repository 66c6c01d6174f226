import Foundation

/// The smart albums of the library. The members of each are the assets whose properties meet a certain condition.
enum SmartAlbum: CaseIterable {
    case userLibrary, videos, favorites, allHidden, recentlyAdded, recentlyDeleted, bursts, panoramas, livePhotos
    case screenshots, timelapses, raw, animated, slomoVideos, depthEffect, cinematic, spatial, screenRecordings
    case selfPortraits, longExposures

    var subtype: AssetCollection.Subtype {
        switch self {
        case .userLibrary: .smartAlbumUserLibrary
        case .videos: .smartAlbumVideos
        case .favorites: .smartAlbumFavorites
        case .allHidden: .smartAlbumAllHidden
        case .recentlyAdded: .smartAlbumRecentlyAdded
        case .recentlyDeleted: .smartAlbumRecentlyDeleted
        case .bursts: .smartAlbumBursts
        case .panoramas: .smartAlbumPanoramas
        case .livePhotos: .smartAlbumLivePhotos
        case .screenshots: .smartAlbumScreenshots
        case .timelapses: .smartAlbumTimelapses
        case .raw: .smartAlbumRAW
        case .animated: .smartAlbumAnimated
        case .slomoVideos: .smartAlbumSlomoVideos
        case .depthEffect: .smartAlbumDepthEffect
        case .cinematic: .smartAlbumCinematic
        case .spatial: .smartAlbumSpatial
        case .screenRecordings: .smartAlbumScreenRecordings
        case .selfPortraits: .smartAlbumSelfPortraits
        case .longExposures: .smartAlbumLongExposures
        }
    }

    private var title: String {
        switch self {
        case .userLibrary: "All Photos"
        case .videos: "Videos"
        case .favorites: "Favorites"
        case .allHidden: "Hidden"
        case .recentlyAdded: "Recently Added"
        case .recentlyDeleted: "Recently Deleted"
        case .bursts: "Bursts"
        case .panoramas: "Panoramas"
        case .livePhotos: "Live Photos"
        case .screenshots: "Screenshots"
        case .timelapses: "Time-lapse"
        case .raw: "RAW"
        case .animated: "Animated"
        case .slomoVideos: "Slo-mo"
        case .depthEffect: "Portrait"
        case .cinematic: "Cinematic"
        case .spatial: "Spatial"
        case .screenRecordings: "Screen Recordings"
        case .selfPortraits: "Selfies"
        case .longExposures: "Long Exposure"
        }
    }

    private func test(addedSince date: Date) -> any RowTest {
        switch self {
        case .userLibrary, .recentlyDeleted: ConstantTest(holds: true)
        case .videos:
            ComparisonTest(
                column: { $0.mediaType }, absent: 0, relation: .equal, value: UInt8(AssetMediaType.video.rawValue))
        case .favorites: FlagTest(flag: .favorite)
        case .allHidden: FlagTest(flag: .hidden)
        case .recentlyAdded:
            ComparisonTest(
                column: { $0.added }, absent: AbsentNumber.value, relation: .greater,
                value: date.timeIntervalSinceReferenceDate)
        case .bursts: FlagTest(flag: .representsBurst)
        case .panoramas: Self.subtypeTest(.photoPanorama)
        case .livePhotos: Self.subtypeTest(.photoLive)
        case .screenshots: Self.subtypeTest(.photoScreenshot)
        case .timelapses: Self.subtypeTest(.videoTimelapse)
        case .raw: FlagTest(flag: .raw)
        case .animated: FlagTest(flag: .animated)
        case .slomoVideos: Self.subtypeTest(.videoHighFrameRate)
        case .depthEffect: Self.subtypeTest(.photoDepthEffect)
        case .cinematic: Self.subtypeTest(.videoCinematic)
        case .spatial: Self.subtypeTest(.spatialMedia)
        case .screenRecordings: Self.subtypeTest(.videoScreenRecording)
        case .selfPortraits: Self.subtypeTest(.photoSelfPortrait)
        case .longExposures: Self.subtypeTest(.photoLongExposure)
        }
    }

    private static func subtypeTest(_ subtype: AssetMediaSubtype) -> any RowTest {
        RowTestCompiler.maskTest(UInt64(subtype.rawValue)) { $0 != 0 }
    }

    /// Returns the smart album as a collection, which can be fetched.
    ///
    /// - Parameter date: assets that were added after this date count as recently added.
    func collection(addedSince date: Date) -> AssetCollection {
        let scope = AssetQuery.Scope(
            includesHidden: self == .allHidden || self == .recentlyDeleted, isTrash: self == .recentlyDeleted)
        return AssetCollection(
            identifier: .derived(.album, from: "smart album \(subtype.rawValue)"), type: .smartAlbum, subtype: subtype,
            title: title, content: .smart(test(addedSince: date), scope))
    }

    static func with(_ identifier: CollectionIdentifier) -> SmartAlbum? {
        allCases.first { identifier == .derived(.album, from: "smart album \($0.subtype.rawValue)") }
    }
}
