import Foundation
import TestSupport
import Testing
import Thumbwheel

@Suite("Pictures that replaced another", .endsHangs) struct StalePictureTests {
    private let manager = ImageManager.undisturbed()
    private let library = PhotoLibrary()
    private let identifier = AssetIdentifier(high: 5, low: 6)
    private let size = PixelSize(width: 16, height: 16)
    private let recipe = AdjustmentData(formatIdentifier: "test", formatVersion: "1", data: [1])

    private static func picture(_ level: UInt8) throws -> [UInt8] {
        // All pictures have the same length, because they are not compressed.
        try Bitmap(size: PixelSize(width: 32, height: 32), format: .rgb) { pixels in
            for index in pixels.indices { pixels[index] = level }
        }.encoded(as: .png)
    }

    private func asset(_ level: UInt8) throws -> Asset {
        try Asset(reading: .bytes(Self.picture(level)), identifier: identifier, originalFilename: "a.png")
    }

    /// The level of the delivered picture, and its entity tag.
    private func delivered(
        _ version: ImageVersion = .current, of library: PhotoLibrary? = nil
    ) async throws -> (level: UInt8, tag: EntityTag) {
        let asset = try #require((library ?? self.library).asset(withIdentifier: identifier))
        var options = ImageRequestOptions()
        options.version = version
        let bitmap = try await manager.image(for: asset, targetSize: size, options: options)
        let data = try await manager.imageData(for: asset, targetSize: size, options: options)
        return (bitmap.withUnsafeBytes { $0[0] }, data.entityTag)
    }

    private func deleteForGood() async throws {
        try await library.performChanges { [identifier] changes in
            try changes.deleteAssets([identifier])
            try changes.deleteAssetsPermanently([identifier])
        }
    }

    @Test("an identifier that is used again delivers the new picture, under another tag")
    func comesAgain() async throws {
        try await library.add([asset(10)])
        var tags = [try await delivered().tag]
        for level in [60, 110] as [UInt8] {
            try await deleteForGood()
            try await library.performChanges { [asset = try asset(level)] in try $0.update(with: [asset]) }
            let (shown, tag) = try await delivered()
            #expect(shown == level)
            tags.append(tag)
        }
        let other = PhotoLibrary()
        try await other.add([asset(200)])
        let (shown, tag) = try await delivered(of: other)
        #expect(shown == 200 && Set(tags + [tag]).count == 4)
    }

    @Test("a changed original of an adjusted asset is delivered under another tag; its rendering keeps its tag")
    func unadjusted() async throws {
        try await library.add([asset(10)])
        try await library.performChanges { [identifier, recipe] changes in
            try changes.setAdjusted(identifier, rendering: .bytes(Self.picture(100)), adjustmentData: recipe)
        }
        let (original, rendering) = (try await delivered(.unadjusted), try await delivered())
        #expect(original.level == 10 && rendering.level == 100)
        try await library.performChanges { [asset = try asset(60)] in try $0.update(with: [asset]) }
        let (other, same) = (try await delivered(.unadjusted), try await delivered())
        #expect(other.level == 60 && other.tag != original.tag)
        #expect(same.level == 100 && same.tag == rendering.tag)
    }

    @Test("tags survive a restart, and libraries loaded from one file diverge")
    func loads() async throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/library"
        try await library.add([asset(10)])
        let saved = try await delivered().tag
        try await library.save(to: path)
        for level in [60, 110] as [UInt8] {
            let loaded = try await PhotoLibrary(loading: path)
            #expect(try await delivered(of: loaded).tag == saved)
            try await loaded.performChanges { [identifier, recipe] changes in
                try changes.setAdjusted(identifier, rendering: .bytes(Self.picture(level)), adjustmentData: recipe)
            }
            #expect(try await delivered(of: loaded).level == level)
        }
    }
}
