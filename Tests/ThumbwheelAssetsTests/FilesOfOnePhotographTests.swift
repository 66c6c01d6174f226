import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats

@Suite("Files of one photograph") struct FilesOfOnePhotographTests {
    private let library = PhotoLibrary()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The files of the library's assets, by their purposes, and what was reported as no image.
    @discardableResult
    private func run() async throws -> ImportReport { try await library.importFolder(at: folder.path) }

    private var assets: [String: [String]] {
        var options = FetchOptions()
        options.includeAllBurstAssets = true
        return Dictionary(
            uniqueKeysWithValues: library.fetchAssets(with: options).map { asset in
                let others = asset.resources.filter { $0.type != .photo && $0.type != .video }.map {
                    "\($0.type) \(URL(filePath: $0.filePath ?? "bytes").lastPathComponent)"
                }
                return (asset.originalFilename, others)
            })
    }

    private func asset(_ name: String) throws -> Asset {
        try #require(library.fetchAssets().first { $0.originalFilename == name })
    }

    private func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: folder.path + "/" + name) }

    /// Gives a file a modification date so many seconds from now.
    private func date(_ name: String, _ seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date().addingTimeInterval(seconds)], ofItemAtPath: folder.path + "/" + name)
    }

    @Test("stills and movies pair by identifier, whatever their names, in their own folder first")
    func identifiers() async throws {
        try folder.write("a/still.jpg", TinyPhotographs.still("ID-1"))
        try folder.write("a/movie.mov", TinyPhotographs.movie("ID-1"))
        try folder.write("b/still2.jpg", TinyPhotographs.still("ID-1"))
        try folder.write("b/movie2.mov", TinyPhotographs.movie("ID-1"))
        try folder.write("still3.jpg", TinyPhotographs.still("ID-3"))
        try folder.write("c/movie3.mov", TinyPhotographs.movie("ID-3"))
        #expect(try await run().skipped.isEmpty)
        #expect(
            assets == [
                "still.jpg": ["pairedVideo movie.mov"], "still2.jpg": ["pairedVideo movie2.mov"],
                "still3.jpg": ["pairedVideo movie3.mov"],
            ])
        #expect(library.fetchAssets().allSatisfy { $0.isLivePhoto && $0.playbackStyle == .livePhoto })
        // Again, nothing has to be read or changed.
        let token = library.currentChangeToken
        let again = try await run()
        #expect(again.alreadyPresentCount == 6 && again.changed.isEmpty && again.added.isEmpty)
        #expect(library.currentChangeToken == token)
    }

    @Test("a file that is named twice belongs to its photograph all the same")
    func namedTwice() async throws {
        try folder.write("a.jpg", TinyPhotographs.still("ID-1"))
        try folder.write("a.mov", TinyPhotographs.movie("ID-1"))
        try folder.write("b.jpg", TinyPhotographs.jpeg())
        try folder.write("b.dng", TinyPhotographs.raw())
        let paths = [folder.path] + ["a.mov", "a.jpg", "b.dng"].map { folder.path + "/" + $0 }
        #expect(try await library.importFiles(paths).skipped.isEmpty)
        #expect(assets == ["a.jpg": ["pairedVideo a.mov"], "b.jpg": ["alternatePhoto b.dng"]])
    }

    @Test("names pair where the identifiers do not contradict")
    func names() async throws {
        try folder.write("a.jpg", TinyPhotographs.still("ID-1"))
        try folder.write("a.mov", TinyPhotographs.movie("ID-2"))
        try folder.write("b.jpg", TinyPhotographs.still("ID-3"))
        try folder.write("b.mov", TinyPhotographs.movie())
        try folder.write("c.jpg", TinyPhotographs.jpeg())
        try folder.write("c.mov", TinyPhotographs.movie("ID-4"))
        try folder.write("d.jpg", TinyPhotographs.jpeg())
        try folder.write("e/d.mov", TinyPhotographs.movie())
        let report = try await run()
        #expect(
            assets == [
                "a.jpg": [], "a.mov": [], "b.jpg": ["pairedVideo b.mov"], "c.jpg": ["pairedVideo c.mov"], "d.jpg": [],
                "d.mov": [],
            ])
        #expect(report.skipped.isEmpty)
        #expect(try !asset("a.jpg").isLivePhoto)
    }

    @Test("a movie that comes later joins its still, and one that goes leaves it, with the same pixels")
    func laterMovie() async throws {
        try folder.write("a.jpg", TinyPhotographs.still("ID-1"))
        try await run()
        let first = try asset("a.jpg")
        try folder.write("a.mov", TinyPhotographs.movie("ID-1"))
        try date("a.mov", 100)
        #expect(try await run().changed.map(\.originalFilename) == ["a.jpg"])
        let live = try asset("a.jpg")
        #expect(live.isLivePhoto && live == first && live.contentVersion == first.contentVersion)
        #expect(try await run().changed.isEmpty)
        // A file that is imported alone leaves the pair as it is.
        let alone = try await library.importFiles([folder.path + "/a.jpg"])
        #expect(alone.changed.isEmpty && assets == ["a.jpg": ["pairedVideo a.mov"]])
        try remove("a.mov")
        #expect(try await run().changed.count == 1)
        #expect(assets == ["a.jpg": []])
        #expect(try !asset("a.jpg").isLivePhoto)
        let token = library.currentChangeToken
        try await run()
        #expect(library.currentChangeToken == token)
    }

    @Test("a movie that was older than its still is missed as well")
    func olderMovie() async throws {
        try folder.write("a.jpg", TinyPhotographs.jpeg())
        try folder.write("a.mov", TinyPhotographs.movie())
        try date("a.mov", -100)
        try await run()
        #expect(assets == ["a.jpg": ["pairedVideo a.mov"]])
        try remove("a.mov")
        #expect(try await run().changed.count == 1 && assets == ["a.jpg": []])
    }

    @Test("a RAW file and its JPEG are one asset, if they were taken at one moment")
    func rawPairs() async throws {
        try folder.write("a.jpg", TinyPhotographs.jpeg(taken: "2020-01-02T03:04:05"))
        try folder.write("a.dng", TinyPhotographs.raw(taken: "2020:01:02 03:04:06"))
        try folder.write("b.jpg", TinyPhotographs.jpeg(taken: "2020-01-02T03:04:05"))
        try folder.write("b.dng", TinyPhotographs.raw(taken: "2020:01:02 03:04:07"))
        try folder.write("c.jpg", TinyPhotographs.jpeg())
        try folder.write("c.dng", TinyPhotographs.raw(taken: "2020:01:02 03:04:07"))
        try folder.write("d.jpg", TinyPhotographs.jpeg())
        try folder.write("d.png", TinyImages.png(4, 3))
        try folder.write("d.dng", TinyPhotographs.raw())
        try await run()
        #expect(
            assets == [
                "a.jpg": ["alternatePhoto a.dng"], "b.jpg": [], "b.dng": [], "c.jpg": ["alternatePhoto c.dng"],
                "d.jpg": [], "d.png": [], "d.dng": [],
            ])
        #expect(try asset("a.jpg").isRAW)
        // Without its JPEG, the RAW file becomes an asset of its own.
        try remove("a.jpg")
        let report = try await run()
        #expect(report.removed.map(\.originalFilename) == ["a.jpg"])
        #expect(report.added.map(\.originalFilename) == ["a.dng"])
    }

    @Test("a RAW file that is an asset already stays one")
    func knownRAW() async throws {
        try folder.write("a.dng", TinyPhotographs.raw())
        try await run()
        try folder.write("a.jpg", TinyPhotographs.jpeg())
        #expect(try await run().added.map(\.originalFilename) == ["a.jpg"])
        #expect(assets == ["a.dng": [], "a.jpg": []])
    }

    @Test("a phone's rendering is shown instead of its original, which can be had again")
    func renderings() async throws {
        try folder.write("IMG_0001.jpg", TinyPhotographs.jpeg(taken: "2020-01-02T03:04:05", TinyPhotographs.london))
        try date("IMG_0001.jpg", 50)
        try folder.write("IMG_0001.AAE", Array("a recipe".utf8))
        try folder.write("IMG_0002.jpg", TinyPhotographs.jpeg())
        try folder.write("IMG_0002.AAE", Array("a recipe".utf8))
        try await run()
        let before = try asset("IMG_0001.jpg")
        #expect(!before.hasAdjustments && before.pixelWidth == 16)
        try folder.write("IMG_E0001.png", TinyImages.png(4, 3))
        #expect(try await run().skipped.isEmpty)
        #expect(
            assets["IMG_0001.jpg"].map(Set.init) == ["fullSizePhoto IMG_E0001.png", "adjustmentData IMG_0001.AAE"])
        #expect(assets["IMG_0002.jpg"] == ["adjustmentData IMG_0002.AAE"] && assets.count == 2)
        let shown = try asset("IMG_0001.jpg")
        #expect(shown.hasAdjustments && shown.pixelWidth == 4 && shown.contentVersion > before.contentVersion)
        #expect(shown.location?.latitude == 51.5 && shown.creationDate == before.creationDate)
        #expect(shown.adjustmentData?.data == Array("a recipe".utf8))
        // Nothing more to do; then another rendering; then none.
        let token = library.currentChangeToken
        try await run()
        #expect(library.currentChangeToken == token)
        try folder.write("IMG_E0001.png", TinyImages.png(9, 9) + [0])
        try date("IMG_E0001.png", 100)
        try await run()
        #expect(try asset("IMG_0001.jpg").pixelWidth == 9)
        #expect(try asset("IMG_0001.jpg").contentVersion > shown.contentVersion)
        try remove("IMG_E0001.png")
        try await run()
        let last = try asset("IMG_0001.jpg")
        #expect(!last.hasAdjustments && last.pixelWidth == 16 && last == before)
    }

    @Test("the file of a rendering that was made in the library is no photograph of its own")
    func renderingFile() async throws {
        try folder.write("a.jpg", TinyPhotographs.jpeg())
        try folder.write("a edited.png", TinyImages.png(2, 2))
        let original = try await library.importFiles([folder.path + "/a.jpg"]).added[0]
        let recipe = AdjustmentData(formatIdentifier: "org.example", formatVersion: "1", data: [1])
        let path = folder.path + "/a edited.png"
        try await library.performChanges {
            try $0.setAdjusted(
                original, rendering: AssetResource(type: .fullSizePhoto, source: .file(path: path)),
                adjustmentData: recipe)
        }
        let token = library.currentChangeToken
        #expect(try await run().alreadyPresentCount == 2 && library.currentChangeToken == token)
        // The original changes: both files are read.
        try folder.write("a.jpg", TinyPhotographs.jpeg("x='1'"))
        try date("a.jpg", 100)
        let report = try await run()
        #expect(report.changed == FetchResult([original]) && report.added.isEmpty && library.fetchAssets().count == 1)
        #expect(try asset("a.jpg").pixelWidth == 2)
        #expect(try await run().changed.isEmpty)
    }

    @Test("a revert outlives imports, until the phone has made another rendering", arguments: [false, true])
    func reverted(isEditedHere: Bool) async throws {
        try folder.write("IMG_0001.jpg", TinyPhotographs.jpeg())
        try folder.write("IMG_0001.AAE", Array("a recipe".utf8))
        try folder.write("IMG_E0001.png", TinyImages.png(4, 3))
        try date("IMG_0001.jpg", -50)
        try await run()
        var shown = try asset("IMG_0001.jpg")
        #expect(shown.hasAdjustments && shown.pixelWidth == 4)
        if isEditedHere {
            let recipe = AdjustmentData(formatIdentifier: "org.example", formatVersion: "1", data: [1])
            try await library.performChanges { [shown] in
                try $0.setAdjusted(shown, rendering: .bytes(TinyImages.png(2, 2)), adjustmentData: recipe)
            }
            try await run()
        }
        try await library.performChanges { [shown] in try $0.revertToOriginal(shown) }
        shown = try asset("IMG_0001.jpg")
        #expect(!shown.hasAdjustments && shown.pixelWidth == 16)
        let token = library.currentChangeToken
        for _ in 0..<2 {
            let report = try await run()
            #expect(report.changed.isEmpty && report.added.isEmpty && report.skipped.isEmpty)
        }
        #expect(library.currentChangeToken == token && assets == ["IMG_0001.jpg": []])
        // So it is in a library that was saved and loaded.
        let path = folder.path + "/.library"
        try await library.save(to: path)
        let loaded = try await PhotoLibrary(loading: path)
        #expect(try await loaded.importFolder(at: folder.path).changed.isEmpty)
        #expect(loaded.fetchAssets().map(\.hasAdjustments) == [false])
        // An original that changes is taken, and its former rendering still is not.
        try folder.write("IMG_0001.jpg", TinyPhotographs.jpeg("x='1'"))
        try date("IMG_0001.jpg", -40)
        #expect(try await run().changed.count == 1)
        #expect(assets == ["IMG_0001.jpg": []])
        try folder.write("IMG_E0001.png", TinyImages.png(9, 9) + [0])
        try date("IMG_E0001.png", 100)
        try await run()
        shown = try asset("IMG_0001.jpg")
        #expect(shown.hasAdjustments && shown.pixelWidth == 9)
        #expect(Set(shown.resources.map(\.type)) == [.photo, .fullSizePhoto, .adjustmentData])
        #expect(try await run().changed.isEmpty)
    }

    @Test("a rendering that was made in the library is kept, whatever the folder gets")
    func libraryRendering() async throws {
        try folder.write("IMG_0001.jpg", TinyPhotographs.jpeg())
        try await run()
        let recipe = AdjustmentData(formatIdentifier: "org.example", formatVersion: "1", data: [1])
        let original = try asset("IMG_0001.jpg")
        try await library.performChanges {
            try $0.setAdjusted(original, rendering: .bytes(TinyImages.png(2, 2)), adjustmentData: recipe)
        }
        try folder.write("IMG_E0001.png", TinyImages.png(4, 3))
        try folder.write("IMG_0001.mov", TinyPhotographs.movie())
        try await run()
        let shown = try asset("IMG_0001.jpg")
        #expect(shown.pixelWidth == 2 && shown.adjustmentData == recipe && shown.isLivePhoto)
        #expect(library.fetchAssets().count == 1)
    }
}
