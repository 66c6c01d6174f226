import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats

@Suite("Operations that are refused throw their own error and leave the library as it was")
struct RefusalTests {
    private let library: PhotoLibrary
    private let album: CollectionPlaceholder
    private let folder: CollectionPlaceholder
    private let inner: CollectionPlaceholder

    init() throws {
        library = PhotoLibrary()
        library.add((0..<5).map { SampleAssets.asset($0, source: $0 == 4 ? .cloudShared : .userLibrary) })
        (album, folder, inner) = try library.performChangesAndWait { changes in
            let album = try changes.createAlbum(title: "album")
            let folder = try changes.createFolder(title: "folder")
            let inner = try changes.createFolder(title: "inner", in: folder)
            try changes.addAssets([0, 1, 2].map(SampleAssets.identifier), to: album)
            return (album, folder, inner)
        }
    }

    private var state: [[String]] {
        let albums = library.fetchAssetCollections(with: .album)
        return [library.fetchAssets().map { "\($0.localIdentifier) \($0.isFavorite)" }]
            + albums.map { [$0.localizedTitle ?? ""] + library.fetchAssets(in: $0).map(\.localIdentifier) }
            + [library.fetchTopLevelUserCollections().map(\.localIdentifier)]
    }

    private func expect(
        _ reasons: ChangeError.Reason..., from body: (inout LibraryTransaction) throws -> Void
    ) throws {
        let before = state
        let token = library.currentChangeToken
        do {
            try library.performChangesAndWait { changes in
                try changes.edit(SampleAssets.identifier(0)) { $0.isFavorite.toggle() }
                // Swallowed, and the transaction fails all the same.
                try? body(&changes)
            }
            Issue.record("not refused: \(reasons)")
        } catch let error as ChangeError {
            #expect(error.reasons == reasons)
        }
        #expect(state == before)
        #expect(library.currentChangeToken == token)
    }

    @Test("unknown identifiers, a reason for each")
    func unknown() throws {
        let gone = [SampleAssets.identifier(70), SampleAssets.identifier(71)]
        try expect(.unknownAsset(gone[0]), .unknownAsset(gone[1])) { try $0.deleteAssets([gone[0], gone[1]]) }
        try expect(.unknownAsset(gone[0])) { try $0.addAssets([gone[0]], to: album) }
        try expect(.unknownAsset(gone[0])) { try $0.edit(gone[0]) { $0.isHidden = true } }
    }

    @Test("collections and assets that cannot be edited")
    func notEditable() throws {
        let smart = try #require(library.fetchAssetCollections(with: .smartAlbum, subtype: .smartAlbumVideos).first)
        #expect(!smart.canPerform(.addContent))
        try expect(.collectionNotEditable(smart.identifier)) {
            try $0.addAssets([SampleAssets.identifier(3)], to: smart)
        }
        let transient = AssetCollection.transientAssetCollection(with: library.fetchAssets())
        try expect(.collectionNotEditable(transient.identifier)) { try $0.setTitle("x", of: transient) }
        let gone = try library.performChangesAndWait { try $0.createAlbum(title: "gone") }
        try library.performChangesAndWait { try $0.deleteCollections([gone]) }
        try expect(.unknownCollection(gone.identifier)) { try $0.setTitle("x", of: gone) }
        try expect(.unknownCollection(gone.identifier)) { try $0.addChildCollections([gone], to: folder) }
        let synced = try library.performChangesAndWait { changes in
            try changes.createHostAlbum(
                title: "synced", subtype: .albumSyncedAlbum, assets: [SampleAssets.identifier(1)])
        }
        try expect(.collectionNotEditable(synced.identifier)) { try $0.setTitle("x", of: synced) }
        try expect(.collectionNotEditable(folder.identifier)) {
            try $0.addAssets([SampleAssets.identifier(1)], to: folder)
        }
        let shared = SampleAssets.identifier(4)
        try expect(.assetNotEditable(shared, .properties)) { try $0.edit(shared) { $0.isFavorite = true } }
        try expect(.assetNotEditable(shared, .delete)) { try $0.deleteAssets([shared]) }
    }

    @Test("indexes out of range, counts that differ, and duplicates")
    func indexes() throws {
        let (third, fourth) = (SampleAssets.identifier(2), SampleAssets.identifier(3))
        try expect(.indexOutOfRange(index: 3, count: 3)) { try $0.removeAssets(at: [0, 3], from: album) }
        try expect(.indexOutOfRange(index: 5, count: 4)) { try $0.insertAssets([fourth], into: album, at: [5]) }
        try expect(.indexOutOfRange(index: 3, count: 2)) { try $0.moveAssets(at: [0], to: 3, in: album) }
        try expect(.countMismatch(indexes: 2, items: 1)) { try $0.insertAssets([fourth], into: album, at: [0, 1]) }
        try expect(.duplicateAsset(third)) { try $0.insertAssets([third], into: album, at: [0]) }
        try expect(.duplicateAsset(third)) { try $0.createAsset(SampleAssets.asset(2)) }
        try expect(.duplicateAsset(fourth)) { try $0.replaceAssets(at: [0, 1], in: album, with: [fourth, fourth]) }
        try expect(.duplicateCollection(inner.identifier)) {
            try $0.insertChildCollections([inner], into: folder, at: [0])
        }
        try expect(.indexOutOfRange(index: 1, count: 1)) { try $0.removeChildCollections(at: [1], from: folder) }
        try expect(.notInAFolder(folder.identifier)) { try $0.replaceChildCollections(at: [1], in: nil, with: [inner]) }
    }

    @Test("folders inside themselves")
    func cycles() throws {
        try expect(.cyclicFolder(folder.identifier)) { try $0.addChildCollections([folder], to: inner) }
        try expect(.cyclicFolder(inner.identifier)) { try $0.addChildCollections([inner], to: inner) }
    }

    @Test("assets that are not where they should be, and bytes that are none")
    func assets() throws {
        let first = SampleAssets.identifier(0)
        try expect(.notRecentlyDeleted(first)) { try $0.restoreAssets([first]) }
        try expect(.notRecentlyDeleted(first)) { try $0.deleteAssetsPermanently([first]) }
        try expect(.notAdjusted(first)) { try $0.revertToOriginal(first) }
        try expect(.missingResource) { try $0.createAsset(from: []) }
        try expect(.invalidResource(.unknownType)) { try $0.createAsset(from: [.bytes([1, 2])]) }
        let missing = ByteSourceError.notFound(path: "provider")
        try expect(.invalidResource(.source(missing))) {
            try $0.createAsset(from: [.provider(FailingProvider(requiresNetwork: false))])
        }
        try expect(.networkAccessRequired(provider: "failing")) {
            try $0.createAsset(from: [.provider(FailingProvider(requiresNetwork: true))])
        }
    }

    @Test("a transaction inside a transaction, and an error of the block's own")
    func nested() throws {
        struct Mine: Error {}
        let before = state
        #expect(throws: Mine.self) {
            try library.performChangesAndWait { changes in
                try changes.deleteAssets([SampleAssets.identifier(0)])
                throw Mine()
            }
        }
        #expect(throws: ChangeError(.nestedTransaction)) {
            try library.performChangesAndWait { _ in try library.performChangesAndWait { _ in } }
        }
        #expect(state == before)
    }

    @Test("what the policy does not allow")
    func policy() throws {
        struct Policy: AccessPolicy {
            var access: LibraryAccess
            var isRefusing = false

            func allows(_ change: ProposedChange) -> Bool { !isRefusing }
        }
        let first = SampleAssets.identifier(0)
        let before = state
        let limited = library.view(for: Policy(access: .limited(to: [first])))
        #expect(limited.fetchAssets().map(\.identifier) == [first])
        #expect(limited.asset(withIdentifier: SampleAssets.identifier(1)) == nil)
        #expect(throws: ChangeError(.unknownAsset(SampleAssets.identifier(1)))) {
            try limited.performChangesAndWait { try $0.edit(SampleAssets.identifier(1)) { $0.isFavorite = true } }
        }
        let adding = library.view(for: Policy(access: .addOnly))
        #expect(adding.fetchAssets().isEmpty && adding.fetchAssetCollections(with: .album).isEmpty)
        #expect(throws: ChangeError(.accessUserDenied)) {
            try adding.performChangesAndWait { try $0.deleteAssets([first]) }
        }
        let refusing = library.view(for: Policy(access: .full, isRefusing: true))
        #expect(throws: ChangeError(.accessUserDenied)) {
            try refusing.performChangesAndWait { try $0.deleteAssets([first]) }
        }
        #expect(state == before)
        #expect(adding.add([SampleAssets.asset(50)]) == 1)
    }
}

private struct FailingProvider: ResourceProvider {
    var identifier: String { "failing" }
    let requiresNetwork: Bool

    func open() throws(ByteSourceError) -> any ByteSource { throw .notFound(path: "provider") }
}
