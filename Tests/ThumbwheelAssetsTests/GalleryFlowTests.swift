import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore

@Suite("The flows that the documentation shows")
struct GalleryFlowTests {
    @Test("albums with cover and count, an album by date, a favourite's index, and a picture added in one block")
    func flows() async throws {
        let library = PhotoLibrary()
        await library.add((0..<6).map { SampleAssets.asset($0, created: Double($0 * 7 % 5), hidden: $0 == 5) })
        let album = try await library.performChanges { changes in
            let album = try changes.createAlbum(title: "Lakes")
            try changes.createAlbum(title: "Empty")
            try changes.addAssets([3, 1, 5, 0, 4].map(SampleAssets.identifier), to: album)
            return album
        }
        let collection = try #require(
            library.fetchAssetCollections(withLocalIdentifiers: [album.localIdentifier]).first)
        let flows = GalleryFlows(library: library)

        let rows = flows.listAlbums()
        #expect(rows.map(\.title) == ["Lakes", "Empty"] && rows.map(\.count) == [4, 0])
        #expect(rows.map { $0.cover?.identifier } == [SampleAssets.identifier(3), nil])

        let assets = flows.newestFirst(in: collection)
        #expect(assets.numbers == [4, 1, 3, 0])

        let grid = GalleryFlows.Grid(assets: assets, cells: Array(assets))
        let toggled = try await flows.follow(grid) { try await flows.toggle(assets[2]) }
        #expect(toggled.reloadedIndexes == [2] && toggled.cells == grid.cells && toggled.cells[2].isFavorite)

        let folder = try TemporaryFolder()
        try folder.write("new.jpg", TinyImages.jpeg())
        let added = try await flows.follow(toggled) {
            try await flows.addPicture(at: folder.path + "/new.jpg", to: collection)
        }
        #expect(added.cells == Array(flows.newestFirst(in: collection)) && added.cells.count == 5)
        #expect(added.cells[0].originalFilename == "new.jpg")
        #expect(library.fetchAssets(in: collection).last == added.cells[0], "at the album's end")
        await #expect(throws: ChangeError.self) {
            try await flows.addPicture(at: folder.path + "/none.jpg", to: collection)
        }
        #expect(library.fetchAssets(in: collection).count == 5)
    }
}
