import FixtureKit
import Foundation
import TestSupport
import Testing
import Thumbwheel

/// A library of the clips that the tool for fixtures makes.
@Suite("Albums of clips", .enabled(if: ClipMaker() != nil, "the command ffmpeg is not installed"))
struct ClipAlbumTests {
    @Test("a folder of clips fills the fetch of videos and the smart albums of their kinds")
    func albums() async throws {
        let folder = try ScratchFolder()
        let maker = try #require(ClipMaker())
        try FileManager.default.createDirectory(atPath: folder.path + "/parts", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder.path + "/library", withIntermediateDirectories: true)
        var made: Set<String> = []
        for clip in ClipLibrary.all {
            guard maker.canMake(clip) else {
                print("skipped \(clip.name): ffmpeg lacks an encoder")
                continue
            }
            let path = try maker.make(clip, in: folder.path + "/parts")
            // The still of a Live Photo has the name of its movie.
            let name = clip.name == "cover.jpg" ? "live.jpg" : clip.name
            try FileManager.default.copyItem(atPath: path, toPath: folder.path + "/library/" + name)
            made.insert(name)
        }
        let library = PhotoLibrary()
        let report = try await library.importFolder(at: folder.path + "/library")
        #expect(report.skipped.isEmpty, "\(report.skipped)")
        func names(_ subtype: AssetCollection.Subtype) throws -> Set<String> {
            let album = try #require(library.fetchAssetCollections(with: .smartAlbum, subtype: subtype).first)
            return Set(library.fetchAssets(in: album).map(\.originalFilename))
        }
        let videos = made.subtracting(["live.jpg", "live.mov"])
        #expect(Set(library.fetchAssets(with: .video).map(\.originalFilename)) == videos)
        #expect(try names(.smartAlbumVideos) == videos)
        #expect(try names(.smartAlbumSlomoVideos) == videos.intersection(["slow.mov", "android.mp4"]))
        #expect(try names(.smartAlbumTimelapses) == videos.intersection(["lapse.mov"]))
        #expect(try names(.smartAlbumLivePhotos) == made.intersection(["live.jpg"]))
        let pair = try #require(library.fetchAssets(with: .image).first)
        #expect(pair.isLivePhoto && pair.resources.map(\.type) == [.photo, .pairedVideo])
    }
}
