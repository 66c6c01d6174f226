import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats

@Suite("Resources as they are described and created") struct AssetResourceTests {
    private let library = PhotoLibrary()
    private let recipe = AdjustmentData(formatIdentifier: "org.example.crop", formatVersion: "1", data: [1, 2, 3])

    @discardableResult
    private func created(_ resources: [AssetResource], name: String? = nil) throws -> Asset {
        let placeholder = try library.performChangesAndWait {
            try $0.createAsset(from: resources, originalFilename: name)
        }
        return try #require(library.asset(withIdentifier: placeholder.identifier))
    }

    @Test("the kinds have PhotoKit's numbers")
    func kinds() {
        #expect(AssetResourceType.allCases.map(\.rawValue) == Array(1...12) + [19])
        #expect(AssetResource(type: .pairedVideo, source: .bytes([])).type.rawValue == 9)
    }

    @Test("the resources of an asset tell their names, types and lengths")
    func described() throws {
        let folder = try TemporaryFolder()
        try folder.write("DSC_1.NEF", [1, 2, 3])
        let asset = try created(
            [
                .bytes(TinyImages.png(9, 5)), AssetResource(type: .pairedVideo, source: .bytes(TinyImages.movie)),
                AssetResource(type: .alternatePhoto, source: .file(path: folder.path + "/DSC_1.NEF")),
                AssetResource(type: .photoProxy, source: .bytes([1]), originalFilename: "small.jpg", contentType: nil),
            ], name: "IMG_1.PNG")
        try library.performChangesAndWait {
            try $0.setAdjusted(asset, rendering: .bytes(TinyImages.jpeg()), adjustmentData: recipe)
        }
        let resources = AssetResource.assetResources(for: try #require(library.asset(withIdentifier: asset.identifier)))
        #expect(
            resources.map(\.type)
                == [.photo, .pairedVideo, .alternatePhoto, .photoProxy, .fullSizePhoto, .adjustmentData])
        #expect(
            resources.map(\.originalFilename) == [
                "IMG_1.PNG", "IMG_1", "DSC_1.NEF", "small.jpg", "FullSizeRender.jpg", "Adjustments.data",
            ])
        #expect(resources.map(\.contentType) == [.png, nil, nil, nil, .jpeg, nil])
        #expect(
            resources.map(\.byteCount) == [
                TinyImages.png(9, 5).count, TinyImages.movie.count, nil, 1, TinyImages.jpeg().count, 3,
            ])
        #expect(resources.allSatisfy { $0.assetLocalIdentifier == asset.localIdentifier })
    }

    @Test("names and types of resources are saved with the library")
    func saved() async throws {
        let folder = try TemporaryFolder()
        let movie = AssetResource(
            type: .pairedVideo, source: .bytes(TinyImages.movie), originalFilename: "live.mov", contentType: .quickTime)
        try await library.performChanges { try $0.createAsset(from: [.bytes(TinyImages.png(9, 5)), movie]) }
        try await library.save(to: folder.path + "/library")
        let loaded = try await PhotoLibrary(loading: folder.path + "/library")
        let resources = AssetResource.assetResources(for: try #require(loaded.fetchAssets().first))
        #expect(resources.map(\.originalFilename) == ["Untitled", "live.mov"])
        #expect(resources.map(\.contentType) == [.png, .quickTime])
    }

    @Test("bytes must be of the type that is stated, and a video must be one")
    func checked() throws {
        func refused(_ reason: ChangeError.Reason, _ resources: [AssetResource]) {
            #expect(throws: ChangeError(reason)) { try created(resources) }
        }
        let png = TinyImages.png(9, 5)
        let asset = try created([AssetResource(source: .bytes(png), originalFilename: "a.png", contentType: .png)])
        #expect(asset.originalFilename == "a.png" && asset.contentType == .png)
        let movie = try created([AssetResource(type: .video, source: .bytes(TinyPhotographs.movie()))])
        #expect(movie.mediaType == .video && movie.contentType == .quickTime && movie.duration == 3)
        refused(
            .invalidResource(.malformed(reason: "no moov box")),
            [AssetResource(type: .video, source: .bytes(TinyImages.movie))])
        refused(
            .wrongContentType(stated: .jpeg, found: .png), [AssetResource(source: .bytes(png), contentType: .jpeg)])
        refused(
            .wrongContentType(stated: .mp4, found: .quickTime),
            [AssetResource(type: .video, source: .bytes(TinyPhotographs.movie()), contentType: .mp4)])
        refused(
            .wrongContentType(stated: .png, found: .jpeg),
            [.bytes(png), AssetResource(type: .photoProxy, source: .bytes(TinyImages.jpeg()), contentType: .png)])
        refused(.invalidResource(.unknownType), [AssetResource(type: .video, source: .bytes([1, 2, 3]))])
        refused(.invalidResource(.unknownType), [AssetResource(type: .video, source: .bytes(png))])
        refused(
            .invalidResource(.unknownType),
            [.bytes(png), AssetResource(type: .pairedVideo, source: .bytes(TinyImages.jpeg()))])
        refused(
            .unsupportedResource(.adjustmentBasePhoto),
            [.bytes(png), AssetResource(type: .adjustmentBasePhoto, source: .bytes(png))])
        #expect(ChangeError(.wrongContentType(stated: .png, found: nil)).code == 3302)
        #expect(library.fetchAssets().count == 2)
    }
}
