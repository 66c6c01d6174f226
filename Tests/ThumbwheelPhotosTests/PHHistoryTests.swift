import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelPhotos

@Suite("PhotoKit: the history") struct PHHistoryTests {
    private let library = PHPhotoLibrary(PhotoLibrary())

    @Test("blocks of changes come oldest first, each with its token and the identifiers of each class")
    func changes() async throws {
        let originals = try ScratchFolder()
        library.originalsFolder = URL(fileURLWithPath: originals.path)
        let start = library.currentChangeToken
        nonisolated(unsafe) var made: [PHObjectPlaceholder] = []
        try await library.performChanges {
            let image = PHImage(Bitmap(size: PixelSize(width: 2, height: 2), format: .rgb) { _ in })
            let asset = PHAssetChangeRequest.creationRequestForAsset(from: image).placeholderForCreatedAsset!
            let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Album")
            made = [asset, album.placeholderForCreatedAssetCollection]
        }
        let middle = library.currentChangeToken
        try await library.performChanges {
            made.append(
                PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "Folder")
                    .placeholderForCreatedCollectionList)
        }
        let asset = try #require(library.library.fetchAssets().firstObject)
        try await library.performChanges { PHAssetChangeRequest(for: PHAsset(asset)).isFavorite = true }
        let identifiers = made.map(\.localIdentifier)

        let changes = Array(try library.fetchPersistentChanges(since: start))
        #expect(changes.map(\.changeToken).first == middle && changes.last?.changeToken == library.currentChangeToken)
        #expect(changes.count == 3)
        let types: [PHObjectType] = [.asset, .assetCollection, .collectionList]
        #expect(types.map(\.rawValue) == [1, 2, 3])
        let inserted = try changes.map { change in
            try types.map { try change.changeDetails(for: $0).insertedLocalIdentifiers.sorted() }
        }
        #expect(inserted == [[[identifiers[0]], [identifiers[1]], []], [[], [], [identifiers[2]]], [[], [], []]])
        let last = try changes[2].changeDetails(for: .asset)
        #expect(last.objectType == .asset && last.updatedLocalIdentifiers == [identifiers[0]])
        #expect(last.deletedLocalIdentifiers.isEmpty)
        try await library.library.performChanges { changes in
            try changes.deleteAssets([asset])
            try changes.deleteAssetsPermanently([asset])
        }
        let gone = Array(try library.fetchPersistentChanges(since: changes[2].changeToken))
        #expect(try gone.map { try $0.changeDetails(for: .asset).deletedLocalIdentifiers } == [[identifiers[0]]])

        var tokens: [PHPersistentChangeToken] = []
        try library.fetchPersistentChanges(since: start).enumerateChanges { change, stop in
            tokens.append(change.changeToken)
            stop.pointee = ObjCBool(tokens.count == 2)
        }
        #expect(tokens == changes.prefix(2).map(\.changeToken))
    }

    @Test("a token is stored by any encoder, and one of another library has expired")
    func tokens() async throws {
        try await library.performChanges {
            _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Album")
        }
        let token = library.currentChangeToken
        let data = try JSONEncoder().encode(token)
        #expect(try JSONDecoder().decode(PHPersistentChangeToken.self, from: data) == token)
        let error = #expect(throws: PHPhotosError.self) {
            try PHPhotoLibrary(PhotoLibrary()).fetchPersistentChanges(since: token)
        }
        #expect(error?.code == .persistentChangeTokenExpired)
    }

    @Test("a block that changed more than the history lists has no details")
    func tooMany() async throws {
        let small = PHPhotoLibrary(
            PhotoLibrary(configuration: PhotoLibrary.Configuration { $0.historyDetailLimit = 1 }))
        let token = small.currentChangeToken
        try await small.performChanges {
            for number in 0..<3 {
                _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "\(number)")
            }
        }
        let changes = Array(try small.fetchPersistentChanges(since: token))
        let error = #expect(throws: PHPhotosError.self) { try changes.first?.changeDetails(for: .assetCollection) }
        #expect(changes.count == 1 && error?.code == .persistentChangeDetailsUnavailable)
    }
}
