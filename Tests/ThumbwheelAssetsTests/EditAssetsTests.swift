import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore

@Suite struct EditAssetsTests {
    private struct Policy: AccessPolicy {
        let access: LibraryAccess
    }

    private let library = PhotoLibrary()
    private let assets = (0..<1500).map { SampleAssets.asset($0, created: Double($0) * 86_400) }

    private static func change(_ edits: inout AssetEdits, _ identifier: AssetIdentifier) {
        edits.isFavorite.toggle()
        if identifier.low % 3 == 0 { edits.creationDate = edits.creationDate?.addingTimeInterval(60) }
    }

    @Test("assets that are edited together become the same as one by one, also one that is listed twice")
    func together() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let chosen = (0..<400).map { _ in SampleAssets.identifier(random.index(below: assets.count)) }
        #expect(Set(chosen).count < chosen.count, "seed \(seed)")
        let other = PhotoLibrary()
        library.add(assets)
        other.add(assets)
        var order: [AssetIdentifier] = []
        try library.performChangesAndWait { changes in
            try changes.editAssets(chosen) { identifier, edits in
                order.append(identifier)
                Self.change(&edits, identifier)
            }
        }
        try other.performChangesAndWait { changes in
            for identifier in chosen { try changes.edit(identifier) { Self.change(&$0, identifier) } }
        }
        #expect(order == chosen, "seed \(seed)")
        let (one, two) = (library.fetchAssets(), other.fetchAssets())
        #expect(one.map(\.identifier) == two.map(\.identifier), "seed \(seed)")
        #expect(one.map(\.isFavorite) == two.map(\.isFavorite), "seed \(seed)")
        #expect(one.map(\.creationDate) == two.map(\.creationDate), "seed \(seed)")
        #expect(one.contains { $0.isFavorite } && one.contains { !$0.isFavorite }, "seed \(seed)")
    }

    @Test("assets that the same transaction has added, changed or deleted are found as they are in it")
    func sameTransaction() throws {
        library.add(assets.prefix(700))
        let gone = SampleAssets.identifier(3)
        try library.performChangesAndWait { changes in
            try changes.edit(SampleAssets.identifier(5)) { $0.isFavorite = true }
            for asset in assets[700...] { try changes.createAsset(asset) }
            try changes.editAssets([5, 701, 1400].map(SampleAssets.identifier)) { $1.isFavorite.toggle() }
        }
        #expect(library.fetchAssets().filter(\.isFavorite).map(\.identifier.low) == [701, 1400])
        #expect(throws: ChangeError(.unknownAsset(gone))) {
            try library.performChangesAndWait { changes in
                try changes.deleteAssets([gone])
                try changes.deleteAssetsPermanently([gone])
                try changes.editAssets([SampleAssets.identifier(4), gone]) { $1.isFavorite = true }
            }
        }
        #expect(library.fetchAssets().count == assets.count)
    }

    @Test("one asset that cannot be edited refuses all, with a reason for each, and no asset is shown to the block")
    func refused() throws {
        let shared = SampleAssets.asset(1500, source: .cloudShared)
        library.add(assets + [shared])
        let deleted = SampleAssets.identifier(3)
        try library.performChangesAndWait { try $0.deleteAssets([deleted]) }
        try library.performChangesAndWait { try $0.deleteAssetsPermanently([deleted]) }
        let unknown = SampleAssets.identifier(9000)
        var count = 0
        let error = #expect(throws: ChangeError.self) {
            try library.performChangesAndWait { changes in
                let wanted = [SampleAssets.identifier(1), unknown, shared.identifier, deleted, unknown]
                try changes.editAssets(wanted) { _, edits in
                    count += 1
                    edits.isFavorite = true
                }
            }
        }
        let reasons: [ChangeError.Reason] = [
            .unknownAsset(unknown), .assetNotEditable(shared.identifier, .properties), .unknownAsset(deleted),
            .unknownAsset(unknown),
        ]
        #expect(error?.reasons == reasons)
        #expect(count == 0 && !library.fetchAssets().contains { $0.isFavorite })
    }

    @Test("assets that an access policy hides are unknown")
    func hidden() throws {
        library.add(assets)
        let (seen, unseen) = (SampleAssets.identifier(1), SampleAssets.identifier(2))
        let view = library.view(for: Policy(access: .limited(to: [seen])))
        try view.performChangesAndWait { try $0.editAssets([seen]) { $1.isFavorite = true } }
        #expect(throws: ChangeError(.unknownAsset(unseen))) {
            try view.performChangesAndWait { try $0.editAssets([seen, unseen]) { $1.isFavorite.toggle() } }
        }
        #expect(library.fetchAssets().filter(\.isFavorite).map(\.identifier) == [seen])
    }

    @Test("fetches by many identifiers keep their order, without those that are unknown or listed before")
    func fetches() {
        library.add(assets)
        let numbers = [1400, 9000, 2, 700, 2, 9001, 0]
        let found = library.fetchAssets(
            withLocalIdentifiers: numbers.map { SampleAssets.identifier($0).localIdentifier })
        #expect(found.numbers == [1400, 2, 700, 0])
    }
}
