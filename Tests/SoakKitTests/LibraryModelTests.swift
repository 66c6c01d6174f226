import Testing

@testable import SoakKit

@Suite struct LibraryModelTests {
    private func source(_ number: Int) -> SoakSource { SoakSource(SoakPicture(number: number, format: .png)) }

    private func model(_ numbers: Int...) throws -> LibraryModel {
        var model = LibraryModel()
        for number in numbers { _ = try model.apply(.upload(number, source(number)), by: .full) }
        return model
    }

    @Test("an asset goes to the trash, comes back to its place, and is deleted for good from the trash alone")
    func trash() throws {
        var model = try model(1, 2, 3)
        _ = try model.apply(.trash([1]), by: .full)
        #expect(model.shown(to: .full) == [2, 3])
        #expect(model.trashed(to: .full) == [1])
        _ = try model.apply(.restore([1]), by: .full)
        #expect(model.shown(to: .full) == [1, 2, 3])
        #expect(throws: Refusal.notRecentlyDeleted(2)) { try model.apply(.expunge([2]), by: .full) }
        _ = try model.apply(.trash([2]), by: .full)
        let difference = try model.apply(.expunge([2]), by: .full)
        #expect(difference.deletedAssets == [2])
        #expect(model.item(2) == nil)
    }

    @Test("a refused edit leaves everything as it was")
    func refusal() throws {
        var model = try model(1, 2)
        let before = model
        #expect(throws: Refusal.unknownAsset(9)) { try model.apply(.trash([1, 9]), by: .full) }
        #expect(throws: Refusal.duplicateAsset(1)) { try model.apply(.upload(1, source(4)), by: .full) }
        #expect(throws: Refusal.notAdjusted(1)) { try model.apply(.revert(1), by: .full) }
        #expect(model == before)
    }

    @Test("a limited user sees and changes some assets only")
    func limited() throws {
        var model = try model(1, 2, 3)
        let access = LibraryModel.Access.limited([2, 7])
        #expect(model.shown(to: access) == [2])
        #expect(throws: Refusal.unknownAsset(1)) { try model.apply(.toggleFavorite(1), by: access) }
        let difference = try model.apply(.toggleFavorite(2), by: access)
        #expect(difference.updatedAssets == [2])
        #expect(model.favorites(to: .full) == [2])
    }

    @Test("members that are not shown keep their places in an album")
    func members() throws {
        var model = try model(1, 2, 3)
        _ = try model.apply(.createAlbum(1, in: LibraryModel.top), by: .full)
        _ = try model.apply(.add([1, 2, 3], to: 1), by: .full)
        _ = try model.apply(.trash([2]), by: .full)
        #expect(model.members(of: 1, to: .full) == [1, 3])
        _ = try model.apply(.move([1], to: 0, in: 1, pinned: nil), by: .full)
        #expect(model.members(of: 1, to: .full) == [3, 1])
        _ = try model.apply(.restore([2]), by: .full)
        #expect(model.members(of: 1, to: .full) == [3, 1, 2])
    }

    @Test("positions of an old list with an asset that is gone for good are refused")
    func pinnedToGone() throws {
        var model = try model(1, 2)
        _ = try model.apply(.createAlbum(1, in: LibraryModel.top), by: .full)
        _ = try model.apply(.add([1, 2], to: 1), by: .full)
        _ = try model.apply(.trash([1]), by: .full)
        _ = try model.apply(.expunge([1]), by: .full)
        #expect(throws: Refusal.unknownAsset(1)) {
            try model.apply(.move([0], to: 1, in: 1, pinned: [1, 2]), by: .full)
        }
        // The album holds what nobody sees any more: whether this counts as a change is the library's affair.
        let difference = try model.apply(.add([2], to: 1), by: .full)
        #expect(difference.isEmpty)
        #expect(difference.possiblyUpdatedNode == 1)
    }

    @Test("folders move with all that is in them, never into themselves, and are deleted with it")
    func folders() throws {
        var model = try model()
        _ = try model.apply(.createFolder(1, in: LibraryModel.top), by: .full)
        _ = try model.apply(.createFolder(2, in: 1), by: .full)
        let album = try model.apply(.createAlbum(3, in: 2), by: .full)
        #expect(album.insertedNodes == [3])
        #expect(album.updatedNodes == [2])
        #expect(throws: Refusal.cyclicFolder(1)) { try model.apply(.adopt([1], by: 2), by: .full) }
        let moved = try model.apply(.adopt([3], by: LibraryModel.top), by: .full)
        #expect(moved.updatedNodes == [2, 3])
        #expect(model.nodes[LibraryModel.top]?.children == [1, 3])
        let turned = try model.apply(.moveChildren([1], to: 0, in: LibraryModel.top, pinned: nil), by: .full)
        #expect(turned.movesTop && !turned.isEmpty && turned.updatedNodes.isEmpty)
        #expect(try model.apply(.delete(1), by: .full).deletedNodes == [1, 2])
        #expect(model.nodes.keys.sorted() == [LibraryModel.top, 3])
    }
}
