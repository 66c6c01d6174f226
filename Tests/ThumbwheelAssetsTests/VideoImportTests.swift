import Foundation
import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelAssets

@Suite("Videos in folders") struct VideoImportTests {
    private let library = PhotoLibrary()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @discardableResult
    private func run() async throws -> ImportReport { try await library.importFolder(at: folder.path) }

    private var names: [String] { library.fetchAssets().map(\.originalFilename).sorted() }

    private func asset(_ name: String) throws -> Asset {
        try #require(library.fetchAssets().first { $0.originalFilename == name })
    }

    /// A movie, to which a test can make changes.
    private func movie(_ change: (inout MovieFile) -> Void = { _ in }) -> [UInt8] {
        var file = MovieFile()
        file.pixelCount = 16
        change(&file)
        return file.encoded()
    }

    private let upright = BoxBytes.matrix(0, 1 << 16, -(1 << 16), 0)

    @Test("a video is an asset with its length, size, date, place and kinds, also in a saved library")
    func facts() async throws {
        let facts = [
            MovieFileItem("com.apple.quicktime.creationdate", "2023-05-06T09:08:09+0200"),
            MovieFileItem("com.apple.quicktime.location.ISO6709", "+48.2085+016.3721+171/"),
        ]
        let picture = TinyImages.png(4, 3)
        try folder.write(
            "a.MOV",
            movie {
                ($0.items, $0.tracks[0].matrix, $0.tracks[0].times) = (facts, upright, [(2400, 125)])
                $0.userData = MovieFileItem.iTunes([MovieFileItem("covr", type: 14, picture)])
            })
        try folder.write("VID_20230102_030405.mkv", MatroskaFile().encoded())
        try folder.write("c.avi", AVIFile().encoded())
        let report = try await run()
        #expect(report.added.count == 3 && report.skipped.isEmpty)
        let saved = try TemporaryFolder()
        try await library.save(to: saved.path + "/library")
        for library in [library, try await PhotoLibrary(loading: saved.path + "/library")] {
            let videos = library.fetchAssets(with: .video)
            #expect(videos.count == 3 && library.fetchAssets(with: .image).isEmpty)
            #expect(videos.allSatisfy { $0.isVideo && $0.playbackStyle == .video && $0.duration == 10 })
            #expect(videos.allSatisfy { $0.resources.map(\.type) == [.video] && $0.resource.type == .video })
            let movie = try #require(videos.first { $0.originalFilename == "a.MOV" })
            #expect(movie.pixelSize == PixelSize(width: 1080, height: 1920) && movie.contentType == .quickTime)
            #expect(movie.creationDate == (try Date("2023-05-06T07:08:09Z", strategy: .iso8601)))
            #expect(movie.location == Location(latitude: 48.2085, longitude: 16.3721, altitude: 171))
            #expect(movie.mediaSubtypes == .videoHighFrameRate && movie.fileSize > 500)
            #expect(movie.head.previews.map(\.kind) == [.cover] && movie.head.orientation == .up)
            #expect(movie.head.previews.map(\.pixelSize) == [PixelSize(width: 4, height: 3)])
            let matroska = try #require(videos.first { $0.contentType == .matroska })
            #expect(matroska.creationDate == (try Date("2023-01-02T03:04:05Z", strategy: .iso8601)))
            #expect(matroska.pixelSize == PixelSize(width: 1920, height: 1080))
            #expect(try #require(videos.first { $0.contentType == .avi }).pixelWidth == 640)
        }
    }

    @Test("smart albums of videos fill from files, and predicates find them")
    func albums() async throws {
        let slow: [UInt8] = movie { $0.tracks[0].times = [(2400, 125)] }
        let lapse = movie { $0.items = [MovieFileItem("com.apple.photos.captureMode", "Time-lapse")] }
        let screen = movie { $0.items = [MovieFileItem("com.apple.quicktime.author", "ReplayKitRecording")] }
        try folder.write("slow.mov", slow)
        try folder.write("lapse.mov", lapse)
        try folder.write("screen.mp4", screen)
        let light = BoxBytes.box(
            "colr", BoxBytes.kind("nclx") + [9, 18, 9].flatMap { BoxBytes.big($0, 2) } + [0])
        try folder.write("plain.mov", movie { $0.tracks[0].descriptionBoxes = light })
        try folder.write("live.jpg", TinyPhotographs.still("ID-1"))
        try folder.write("live.mov", TinyPhotographs.movie("ID-1"))
        try await run()
        func found(_ subtype: AssetCollection.Subtype) throws -> [String] {
            let album = try #require(library.fetchAssetCollections(with: .smartAlbum, subtype: subtype).first)
            return library.fetchAssets(in: album).map(\.originalFilename).sorted()
        }
        #expect(try found(.smartAlbumVideos) == ["lapse.mov", "plain.mov", "screen.mp4", "slow.mov"])
        #expect(try found(.smartAlbumSlomoVideos) == ["slow.mov"])
        #expect(try found(.smartAlbumTimelapses) == ["lapse.mov"])
        #expect(try found(.smartAlbumScreenRecordings) == ["screen.mp4"])
        #expect(try found(.smartAlbumLivePhotos) == ["live.jpg"])
        let options = try FetchOptions(matching: #Predicate<Asset> { $0.isVideo && $0.duration > 9.5 })
        #expect(library.fetchAssets(with: options).count == 4)
        // Photos has a subtype for photographs of high dynamic range, and none for videos.
        #expect(try asset("plain.mov").mediaSubtypes.isEmpty)
    }

    @Test("imports are incremental: nothing to do, other bytes, another name, gone and back again")
    func incremental() async throws {
        try folder.write("a.mov", movie())
        try folder.write("b.mov", movie { $0.duration = 1200 })
        try await run()
        let (first, other) = (try asset("a.mov"), try asset("b.mov"))
        let token = library.currentChangeToken
        #expect(try await run().alreadyPresentCount == 2 && library.currentChangeToken == token)
        try folder.write("a.mov", movie { $0.duration = 3000 })
        #expect(try await run().changed.map(\.originalFilename) == ["a.mov"])
        let changed = try asset("a.mov")
        #expect(changed == first && changed.duration == 5 && changed.contentVersion > first.contentVersion)
        try FileManager.default.moveItem(atPath: folder.path + "/b.mov", toPath: folder.path + "/c.mov")
        let moved = try await run()
        #expect(moved.moved == FetchResult([other]) && moved.added.isEmpty && names == ["a.mov", "c.mov"])
        #expect(try asset("c.mov").resources.map(\.type) == [.video] && asset("c.mov").duration == 2)
        // Carried elsewhere by a program that gives the copy another node and another date.
        let bytes = try Data(contentsOf: URL(filePath: folder.path + "/c.mov"))
        try FileManager.default.removeItem(atPath: folder.path + "/c.mov")
        try folder.write("d/d.mov", [UInt8](bytes))
        #expect(try await run().moved == FetchResult([other]))
        try FileManager.default.removeItem(atPath: folder.path + "/d/d.mov")
        #expect(try await run().removed == FetchResult([other]) && names == ["a.mov"])
        try folder.write("d/d.mov", [UInt8](bytes))
        try await run()
        #expect(names == ["a.mov", "d.mov"])
    }

    @Test("a movie that comes before its still becomes the movie of a Live Photo")
    func stillComesLater() async throws {
        try folder.write("a.mov", TinyPhotographs.movie("ID-1"))
        try folder.write("b.mov", TinyPhotographs.movie())
        try folder.write("c.mov", TinyPhotographs.movie())
        try await run()
        #expect(names == ["a.mov", "b.mov", "c.mov"])
        try folder.write("a.jpg", TinyPhotographs.still("ID-1"))
        try folder.write("b.jpg", TinyPhotographs.still("ID-2"))
        // Only the name says that this movie belongs to a photograph, so the asset stays one.
        try folder.write("c.jpg", TinyPhotographs.jpeg())
        #expect(try await run().added.map(\.originalFilename).sorted() == ["a.jpg", "b.jpg", "c.jpg"])
        #expect(names == ["a.jpg", "b.jpg", "c.jpg", "c.mov"])
        #expect(try asset("a.jpg").isLivePhoto && asset("b.jpg").isLivePhoto && !asset("c.jpg").isLivePhoto)
        let token = library.currentChangeToken
        try await run()
        #expect(library.currentChangeToken == token)
        // Without its still, the movie is a video again.
        try FileManager.default.removeItem(atPath: folder.path + "/a.jpg")
        #expect(try await run().added.map(\.originalFilename) == ["a.mov"])
    }

    @Test("a long video with the name of a photograph is no Live Photo, unless the photograph says that it is one")
    func namesakes() async throws {
        try folder.write("a.jpg", TinyPhotographs.jpeg())
        try folder.write("a.mov", TinyPhotographs.movie(seconds: 6))
        try folder.write("b.jpg", TinyPhotographs.jpeg())
        try folder.write("b.mov", TinyPhotographs.movie(seconds: 5))
        try folder.write("c.jpg", TinyPhotographs.still("ID-1"))
        try folder.write("c.mov", TinyPhotographs.movie(seconds: 6))
        try await run()
        #expect(names == ["a.jpg", "a.mov", "b.jpg", "c.jpg"])
    }

    @Test("an edited video is shown instead of its original, and an edited Live Photo keeps its edited movie")
    func edited() async throws {
        try folder.write("IMG_0001.MOV", movie())
        try folder.write("IMG_E0001.MOV", movie { $0.duration = 1800 })
        try folder.write("IMG_0001.AAE", Array("a recipe".utf8))
        try folder.write("IMG_0002.JPG", TinyPhotographs.still("ID-1"))
        try folder.write("IMG_0002.MOV", TinyPhotographs.movie("ID-1"))
        try folder.write("IMG_E0002.MOV", TinyPhotographs.movie("ID-1"))
        #expect(try await run().skipped.isEmpty && names == ["IMG_0001.MOV", "IMG_0002.JPG"])
        let video = try asset("IMG_0001.MOV")
        #expect(video.hasAdjustments && video.duration == 3 && video.resource.type == .fullSizeVideo)
        #expect(video.resources.map(\.type) == [.video, .fullSizeVideo, .adjustmentData])
        #expect(video.resource(of: .unadjusted).type == .video)
        #expect(try asset("IMG_0002.JPG").resources.map(\.type) == [.photo, .pairedVideo, .fullSizePairedVideo])
        let token = library.currentChangeToken
        try await run()
        #expect(library.currentChangeToken == token)
        try FileManager.default.removeItem(atPath: folder.path + "/IMG_E0001.MOV")
        try await run()
        let original = try asset("IMG_0001.MOV")
        #expect(original == video && !original.hasAdjustments && original.duration == 10)
    }

    @Test("what is no video is reported, with the reason")
    func refused() async throws {
        try folder.write("cut.mov", Array(movie().prefix(300)))
        var sound = MovieFile()
        sound.tracks = [.sound()]
        try folder.write("sound.mp4", sound.encoded())
        try folder.write("notes.txt", Array(String(repeating: "GGGG words ", count: 200).utf8))
        try folder.write("text.mov", Array("no movie".utf8))
        let skipped = try await run().skipped.map { (URL(filePath: $0.path).lastPathComponent, $0.reason) }
        let reasons = Dictionary(uniqueKeysWithValues: skipped)
        #expect(
            reasons == [
                "cut.mov": .damaged(.truncated),
                "sound.mp4": .damaged(.malformed(reason: "no track of pictures")), "notes.txt": .notAnImage,
                "text.mov": .notAnImage,
            ])
    }

    @Test("MPEG streams are listed by their type alone")
    func streams() async throws {
        var packet = [UInt8](repeating: 0xFF, count: 188)
        packet[0] = 0x47
        let packets = [[UInt8]](repeating: packet, count: 20).flatMap(\.self)
        try folder.write("a.ts", packets)
        try folder.write("b.mts", [[UInt8]](repeating: [0, 0, 0, 0] + packet, count: 20).flatMap(\.self))
        try folder.write("c.mpg", [0, 0, 1, 0xBA] + packet)
        try await run()
        let videos = library.fetchAssets(with: .video)
        #expect(videos.count == 3 && videos.allSatisfy { $0.pixelSize == .zero && $0.duration == 0 })
    }

    @Test("a transaction reads the facts of a video, by its name too")
    func created() async throws {
        let path = folder.path + "/VID_20230102_030405.mp4"
        try folder.write("VID_20230102_030405.mp4", movie())
        let identifier = try await library.performChanges {
            try $0.createAsset(from: [AssetResource(type: .video, source: .file(path: path))]).identifier
        }
        let asset = try #require(library.asset(withIdentifier: identifier))
        #expect(asset.mediaType == .video && asset.duration == 10 && asset.pixelWidth == 1920)
        #expect(asset.creationDate == (try Date("2023-01-02T03:04:05Z", strategy: .iso8601)))
        let bytes = movie { ($0.pixelCount, $0.isMovieLast) = (1 << 20, true) }
        let provider = StepwiseProvider(bytes, requiresNetwork: true, offersRanges: true)
        let remote = try await AssetResource(type: .video, source: .provider(provider)).readingHead()
        #expect(provider.readByteCount < 64 << 10)
        let other = try await library.performChanges { try $0.createAsset(from: [remote]).identifier }
        #expect(library.asset(withIdentifier: other)?.duration == 10 && provider.readByteCount < 64 << 10)
        let outside = try Asset(file: path)
        #expect(outside.isVideo && outside.resource.type == .video && outside.duration == 10)
    }

    @Test("the columns describe a video's file: videos take no details")
    func columns() async throws {
        let bytes = movie()
        for number in 0..<100 { try folder.writeQuickly("\(number).mov", bytes + [UInt8(number)]) }
        try await run()
        let chunks = library.snapshot.chunks.map(\.columns)
        #expect(chunks.reduce(0) { $0 + $1.count } == 100 && chunks.allSatisfy(\.details.isEmpty))
        #expect(library.fetchAssets().allSatisfy { $0.resources.map(\.type) == [.video] })
    }
}
