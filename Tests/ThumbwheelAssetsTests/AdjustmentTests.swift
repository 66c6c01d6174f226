import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats

@Suite struct AdjustmentTests {
    private let library = PhotoLibrary()
    private let recipe = AdjustmentData(formatIdentifier: "org.example.crop", formatVersion: "1", data: [1, 2, 3])

    private func asset(_ identifier: some AssetReference) throws -> Asset {
        try #require(library.asset(withIdentifier: identifier.identifier))
    }

    private func created() throws -> Asset {
        let placeholder = try library.performChangesAndWait { try $0.createAsset(from: [.bytes(TinyImages.png(9, 5))]) }
        return try asset(placeholder)
    }

    @Test("an adjustment shows its rendering, keeps the original, and is taken back")
    func roundTrip() throws {
        let original = try created()
        let change = try library.changeMade { changes in
            try changes.setAdjusted(original, rendering: .bytes(TinyImages.png(4, 3)), adjustmentData: recipe)
        }
        let adjusted = try asset(original)
        #expect(adjusted.pixelSize == PixelSize(width: 4, height: 3) && adjusted.hasAdjustments)
        #expect(adjusted.adjustmentData == recipe && adjusted.adjustmentFormatIdentifier == "org.example.crop")
        #expect(adjusted.resources.map(\.type) == [.photo, .fullSizePhoto, .adjustmentData])
        #expect(try adjusted.resource.open().bytes() == TinyImages.png(4, 3))
        #expect(change.changeDetails(for: original)?.assetContentChanged == true)
        #expect(original.pixelWidth == 9, "a snapshot does not change")
        try library.performChangesAndWait { try $0.revertToOriginal(original) }
        let reverted = try asset(original)
        #expect(reverted.pixelSize == original.pixelSize && reverted.fileSize == original.fileSize)
        #expect(!reverted.hasAdjustments && reverted.adjustmentData == nil)
        #expect(reverted.resources == original.resources)
        #expect(Set([original, adjusted, reverted].map(\.contentVersion)).count == 3)
    }

    @Test("an asset that is adjusted again keeps its first original")
    func adjustedAgain() throws {
        let original = try created()
        for side: UInt8 in [2, 3] {
            try library.performChangesAndWait { changes in
                try changes.setAdjusted(
                    original, rendering: .bytes(TinyImages.png(side, side)), adjustmentData: recipe)
            }
        }
        let adjusted = try asset(original)
        #expect(
            adjusted.pixelWidth == 3 && adjusted.resources.map(\.type) == [.photo, .fullSizePhoto, .adjustmentData])
        #expect(adjusted.pictureVersion(of: .original) == original.pictureVersion())
        try library.performChangesAndWait { try $0.revertToOriginal(original) }
        #expect(try asset(original).pixelSize == original.pixelSize && asset(original).resources == original.resources)
    }

    @Test("the content version changes when, and only when, the pixels do")
    func contentVersion() throws {
        let first = try created()
        let version = first.contentVersion
        try library.performChangesAndWait { changes in
            try changes.edit(first) { edits in
                edits.isFavorite = true
                edits.isHidden = true
                edits.creationDate = .distantPast
                edits.location = Location(latitude: 1, longitude: 2)
            }
        }
        try library.performChangesAndWait { try $0.deleteAssets([first]) }
        try library.performChangesAndWait { try $0.restoreAssets([first]) }
        #expect(try asset(first).contentVersion == version)
        let rendering = AssetResource.bytes(TinyImages.png(4, 3))
        try library.performChangesAndWait { try $0.setAdjusted(first, rendering: rendering, adjustmentData: recipe) }
        let adjusted = try asset(first)
        #expect(adjusted.contentVersion != version)
        // Another recipe that leads to the same picture.
        let other = AdjustmentData(formatIdentifier: "org.example.turn", formatVersion: "2", data: [])
        let same = try library.changeMade { try $0.setAdjusted(first, rendering: rendering, adjustmentData: other) }
        #expect(try asset(first).contentVersion == adjusted.contentVersion)
        #expect(try asset(first).adjustmentData == other)
        #expect(same.changeDetails(for: adjusted)?.assetContentChanged == false)
        #expect(try asset(first).isFavorite && asset(first).location == Location(latitude: 1, longitude: 2))
    }

    @Test("an asset that comes again with its identifier comes with a version that it never had")
    func returning() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.png", TinyImages.png(4, 3))
        let identifier = AssetIdentifier(high: 1, low: 2)
        var versions: [UInt32] = []
        for _ in 0..<3 {
            try library.performChangesAndWait { changes in
                try changes.createAsset(from: [.file(path: folder.path + "/a.png")], identifier: identifier)
            }
            versions.append(try asset(identifier).contentVersion)
            try library.performChangesAndWait { changes in
                try changes.setAdjusted(
                    identifier, rendering: .bytes(TinyImages.png(2, 2)), adjustmentData: recipe)
                try changes.revertToOriginal(identifier)
            }
            versions.append(try asset(identifier).contentVersion)
            try library.performChangesAndWait { changes in
                try changes.deleteAssets([identifier])
                try changes.deleteAssetsPermanently([identifier])
            }
        }
        #expect(Set(versions).count == versions.count)
    }

    @Test("what cannot be adjusted is refused, with nothing changed")
    func refusals() throws {
        library.add([SampleAssets.asset(1, type: .video), SampleAssets.asset(2, source: .cloudShared)])
        let photo = try created()
        let before = (try asset(photo).contentVersion, library.currentChangeToken)
        let (video, shared) = (SampleAssets.identifier(1), SampleAssets.identifier(2))
        func refused(_ reason: ChangeError.Reason, _ asset: some AssetReference, _ rendering: [UInt8]) {
            #expect(throws: ChangeError(reason)) {
                try library.performChangesAndWait {
                    try $0.setAdjusted(asset, rendering: .bytes(rendering), adjustmentData: recipe)
                }
            }
        }
        refused(.assetNotEditable(video, .content), video, TinyImages.png(1, 1))
        refused(.assetNotEditable(shared, .content), shared, TinyImages.png(1, 1))
        refused(.invalidResource(.unknownType), photo, [1, 2, 3])
        refused(.unknownAsset(SampleAssets.identifier(9)), SampleAssets.identifier(9), TinyImages.png(1, 1))
        #expect(throws: ChangeError(.unsupportedResource(.adjustmentData))) {
            try library.performChangesAndWait {
                try $0.createAsset(from: [
                    .bytes(TinyImages.png(1, 1)), AssetResource(type: .adjustmentData, source: .bytes([])),
                ])
            }
        }
        #expect(try asset(photo).contentVersion == before.0 && library.currentChangeToken == before.1)
    }

    @Test("a live photo whose rendering moves is a loop")
    func playbackStyle() {
        func style(_ type: AssetMediaType, _ subtypes: AssetMediaSubtype, frames: Int = 1) -> AssetPlaybackStyle {
            SampleAssets.asset(0, type: type, subtypes: subtypes, frames: frames, contentType: .gif).playbackStyle
        }
        #expect(style(.image, []) == .image && style(.image, [], frames: 2) == .imageAnimated)
        #expect(style(.image, .photoLive) == .livePhoto && style(.image, .photoLive, frames: 2) == .videoLooping)
        #expect(style(.video, .videoTimelapse) == .video && style(.audio, []) == .unsupported)
    }
}
