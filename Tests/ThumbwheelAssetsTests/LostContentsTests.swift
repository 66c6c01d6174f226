import Foundation
import Testing
import ThumbwheelCore

@testable import ThumbwheelAssets

@Suite struct LostContentsTests {
    private let library = PhotoLibrary()

    init() {
        library.add((0..<2000).map { SampleAssets.asset($0) })
    }

    @Test("what is deleted for good or gets other pixels has lost its contents, what is edited or only trashed has not")
    func oneOfEach() throws {
        try library.performChangesAndWait { try $0.deleteAssets([SampleAssets.identifier(7)]) }
        let recipe = AdjustmentData(formatIdentifier: "org.example", formatVersion: "1", data: [1])
        let change = try library.changeMade { changes in
            try changes.deleteAssetsPermanently([SampleAssets.identifier(7)])
            try changes.deleteAssets([SampleAssets.identifier(8)])
            try changes.edit(SampleAssets.identifier(9)) { $0.isFavorite.toggle() }
            try changes.setAdjusted(
                SampleAssets.identifier(1500), rendering: .bytes(TinyImages.png(4, 3)), adjustmentData: recipe)
            try changes.createAsset(SampleAssets.asset(3000))
        }
        #expect(change.assetsWithLostContents == [7, 1500].map { SampleAssets.identifier($0) })
    }

    @Test("several changes as one tell of all; what came and went meanwhile had nothing to lose")
    func several() throws {
        let first = try library.changeMade { changes in
            try changes.createAsset(SampleAssets.asset(3000))
            try changes.deleteAssets([SampleAssets.identifier(3), SampleAssets.identifier(4)])
        }
        let second = try library.changeMade { changes in
            try changes.deleteAssets([SampleAssets.identifier(3000)])
            try changes.deleteAssetsPermanently(
                [SampleAssets.identifier(3), SampleAssets.identifier(4), SampleAssets.identifier(3000)])
        }
        #expect(first.assetsWithLostContents == [])
        let both = first.followed(by: second)
        #expect(both.assetsWithLostContents == [3, 4].map { SampleAssets.identifier($0) })
    }
}
