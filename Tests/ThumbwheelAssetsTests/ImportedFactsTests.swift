import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats

@Suite("Facts of imported files") struct ImportedFactsTests {
    private let library = PhotoLibrary()

    private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    @Test("an imported photograph has its place, kinds and date, and keeps them in a saved library")
    func facts() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "a.jpg",
            TinyPhotographs.jpeg(taken: "2008-05-30T15:56:01+02:00", TinyPhotographs.london + " hdrgm:Version='1.0'"))
        try folder.write("Screenshot_20230102-030405.png", TinyImages.png(4, 3))
        _ = try await library.importFolder(at: folder.path)
        let saved = try TemporaryFolder()
        try await library.save(to: saved.path + "/library")
        for library in [library, try await PhotoLibrary(loading: saved.path + "/library")] {
            let assets = Array(library.fetchAssets())
            let screenshot = try #require(assets.first { $0.isScreenshot })
            let photograph = try #require(assets.first { $0.isHDR })
            #expect(photograph.location == Location(latitude: 51.5, longitude: -0.125))
            #expect(photograph.mediaSubtypes == .photoHDR)
            #expect(photograph.creationDate == (try date("2008-05-30T13:56:01Z")))
            #expect(screenshot.location == nil && screenshot.mediaSubtypes == .photoScreenshot)
            #expect(screenshot.creationDate == (try date("2023-01-02T03:04:05Z")))
        }
    }

    @Test("a photograph that does not say when it was taken has the date of its file")
    func fileDate() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.png", TinyImages.png(4, 3))
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path + "/a.png")
        let asset = try await library.importFolder(at: folder.path).added[0]
        #expect(asset.creationDate == date && asset.head.captureDate == nil)
        // And it follows the file, as long as nobody has given another date.
        let later = date.addingTimeInterval(60)
        try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: folder.path + "/a.png")
        #expect(try await library.importFolder(at: folder.path).changed[0].creationDate == later)
        let chosen = date.addingTimeInterval(-500)
        try await library.performChanges { try $0.edit(asset) { $0.creationDate = chosen } }
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path + "/a.png")
        #expect(try await library.importFolder(at: folder.path).changed[0].creationDate == chosen)
    }

    @Test("a changed file brings its kinds and a place, but not instead of the user's")
    func changes() async throws {
        let folder = try TemporaryFolder()
        for name in ["a.jpg", "b.jpg"] { try folder.write(name, TinyPhotographs.jpeg("GDepth:Format='RangeLinear'")) }
        let added = Array(try await library.importFolder(at: folder.path).added)
        #expect(added.allSatisfy { $0.isDepthEffect && $0.location == nil })
        let home = Location(latitude: 1, longitude: 2)
        try await library.performChanges { try $0.edit(added[0]) { $0.location = home } }
        for name in ["a.jpg", "b.jpg"] {
            try folder.write(name, TinyPhotographs.jpeg(TinyPhotographs.london + " GPano:ProjectionType='x'"))
        }
        let changed = Array(try await library.importFolder(at: folder.path).changed)
        #expect(changed.map(\.location) == [home, Location(latitude: 51.5, longitude: -0.125)])
        #expect(changed.allSatisfy { $0.mediaSubtypes == .photoPanorama })
    }

    @Test("of a burst, the one that says so represents it, else the first taken; the others are found on request")
    func bursts() async throws {
        let folder = try TemporaryFolder()
        for (name, burst, second, primary) in [
            ("a", "one", 3, 0), ("b", "one", 1, 0), ("c", "one", 2, 0), ("d", "two", 1, 0), ("e", "two", 2, 1),
            ("f", "two", 3, 1),
        ] {
            try folder.write(
                name + ".jpg",
                TinyPhotographs.jpeg(
                    taken: "2020-01-01T00:00:0\(second)",
                    "GCamera:BurstID='\(burst)' GCamera:BurstPrimary='\(primary)'"))
        }
        _ = try await library.importFolder(at: folder.path)
        func names(_ assets: FetchResult<Asset>) -> [String] { assets.map(\.originalFilename) }
        #expect(names(library.fetchAssets()) == ["b.jpg", "e.jpg"])
        var options = FetchOptions()
        options.includeAllBurstAssets = true
        #expect(names(library.fetchAssets(with: options)) == ["a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg", "f.jpg"])
        // Members that come later do not replace the representative.
        try folder.write("0.jpg", TinyPhotographs.jpeg(taken: "2019-01-01", "GCamera:BurstID='one'"))
        _ = try await library.importFolder(at: folder.path)
        #expect(names(library.fetchAssets()) == ["b.jpg", "e.jpg"])
    }

    @Test("creation from a resource reads the same facts")
    func creation() async throws {
        let bytes = TinyPhotographs.jpeg(taken: "2008-05-30T15:56:01Z", TinyPhotographs.london + " GDepth:Format='x'")
        try await library.performChanges { _ = try $0.createAsset(from: [.bytes(bytes)]) }
        let asset = library.fetchAssets()[0]
        #expect(asset.location?.latitude == 51.5 && asset.mediaSubtypes == .photoDepthEffect)
        #expect(asset.creationDate == (try date("2008-05-30T15:56:01Z")))
    }
}
