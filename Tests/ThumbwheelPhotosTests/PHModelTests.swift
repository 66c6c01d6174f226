import Foundation
import Testing
import Thumbwheel
import ThumbwheelPhotos

@Suite("PhotoKit: objects and their numbers") struct PHModelTests {
    private static let place = Location(latitude: 1, longitude: 2)

    private static func asset(_ identifier: AssetIdentifier = .random(), isFavorite: Bool = true) -> PHAsset {
        PHAsset(
            Asset(
                identifier: identifier, mediaType: .image,
                head: ImageHead(
                    contentType: .heic, storedSize: PixelSize(width: 40, height: 30), orientation: .right),
                resource: .bytes([1]), fileSize: 1, originalFilename: "a.heic",
                creationDate: Date(timeIntervalSince1970: 1), modificationDate: Date(timeIntervalSince1970: 2),
                addedDate: Date(timeIntervalSince1970: 3), mediaSubtypes: [.photoHDR, .photoLive], location: place,
                duration: 4, isFavorite: isFavorite, isHidden: true, burstIdentifier: "burst",
                burstSelectionTypes: .autoPick, representsBurst: true, sourceType: .typeiTunesSynced))
    }

    @Test("an asset tells what the library's own asset tells")
    func properties() {
        let asset = Self.asset()
        #expect(asset.mediaType == .image && asset.mediaSubtypes == [.photoHDR, .photoLive])
        #expect(asset.playbackStyle == .livePhoto && asset.contentType == .heic)
        #expect(asset.pixelWidth == 30 && asset.pixelHeight == 40)
        #expect(asset.creationDate == Date(timeIntervalSince1970: 1))
        #expect(asset.modificationDate == Date(timeIntervalSince1970: 2))
        #expect(asset.addedDate == Date(timeIntervalSince1970: 3))
        #expect(asset.location == Self.place && asset.duration == 4 && asset.isFavorite && asset.isHidden)
        #expect(asset.burstIdentifier == "burst" && asset.burstSelectionTypes == .autoPick && asset.representsBurst)
        #expect(asset.sourceType == .typeiTunesSynced && !asset.hasAdjustments)
        #expect(asset.adjustmentFormatIdentifier == nil)
        #expect(!asset.canPerform(.content) && !asset.canPerform(.delete))
    }

    @Test("objects are equal by identifier alone, and a copy is the object itself")
    func equality() {
        let identifier = AssetIdentifier.random()
        let (one, other) = (Self.asset(identifier), Self.asset(identifier, isFavorite: false))
        #expect(one == other && one.hash == other.hash && one != Self.asset())
        #expect(one.copy() as? PHAsset === one)
        #expect(one.localIdentifier == identifier.localIdentifier)
        let collection = PHAssetCollection.transientAssetCollection(with: [one], title: nil)
        #expect(!one.isEqual(collection) && !one.isEqual("text") && collection.copy() as? PHObject === collection)
    }

    @Test("kinds, subtypes, sources and types of collections have PhotoKit's numbers")
    func numbers() {
        #expect([PHAssetMediaType.unknown, .image, .video, .audio].map(\.rawValue) == [0, 1, 2, 3])
        let subtypes: [PHAssetMediaSubtype] = [
            .photoPanorama, .photoHDR, .photoScreenshot, .photoLive, .photoDepthEffect, .spatialMedia, .videoStreamed,
            .videoHighFrameRate, .videoTimelapse, .videoScreenRecording, .videoCinematic,
        ]
        #expect(subtypes.map { $0.rawValue.trailingZeroBitCount } == [0, 1, 2, 3, 4, 10, 16, 17, 18, 19, 21])
        let styles: [PHAssetPlaybackStyle] = [.unsupported, .image, .imageAnimated, .livePhoto, .video, .videoLooping]
        #expect(styles.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
        #expect([PHAssetBurstSelectionType.autoPick, .userPick].map(\.rawValue) == [1, 2])
        #expect([PHAssetSourceType.typeUserLibrary, .typeCloudShared, .typeiTunesSynced].map(\.rawValue) == [1, 2, 4])
        #expect([PHAssetEditOperation.delete, .content, .properties].map(\.rawValue) == [1, 2, 3])
        #expect([PHAssetCollectionType.album, .smartAlbum, .moment].map(\.rawValue) == [1, 2, 3])
        #expect([PHCollectionListType.momentList, .folder, .smartFolder].map(\.rawValue) == [1, 2, 3])
        let lists: [PHCollectionListSubtype] = [
            .momentListCluster, .momentListYear, .regularFolder, .smartFolderEvents, .smartFolderFaces, .any,
        ]
        #expect(lists.map(\.rawValue) == [1, 2, 100, 200, 201, .max])
        let albums: [PHAssetCollectionSubtype] = [
            .albumRegular, .albumSyncedEvent, .albumSyncedFaces, .albumSyncedAlbum, .albumImported,
            .albumMyPhotoStream, .albumCloudShared, .smartAlbumGeneric, .smartAlbumPanoramas, .smartAlbumVideos,
            .smartAlbumFavorites, .smartAlbumTimelapses, .smartAlbumAllHidden, .smartAlbumRecentlyAdded,
            .smartAlbumBursts, .smartAlbumSlomoVideos, .smartAlbumUserLibrary, .smartAlbumSelfPortraits,
            .smartAlbumScreenshots, .smartAlbumDepthEffect, .smartAlbumLivePhotos, .smartAlbumAnimated,
            .smartAlbumLongExposures, .smartAlbumUnableToUpload, .smartAlbumRAW, .smartAlbumCinematic,
            .smartAlbumSpatial, .smartAlbumScreenRecordings, .any,
        ]
        #expect(albums.map(\.rawValue) == [2, 3, 4, 5, 6, 100, 101] + Array(200...220) + [.max])
    }
}
