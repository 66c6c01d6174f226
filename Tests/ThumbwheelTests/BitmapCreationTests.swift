import Foundation
import TestSupport
import Testing
import Thumbwheel

#if canImport(Glibc)
import Glibc
#endif

@Suite("Assets made of bitmaps and bytes") struct BitmapCreationTests {
    private let library = PhotoLibrary()

    private static func bitmap(_ format: Bitmap.PixelFormat = .rgb, side: Int = 8) -> Bitmap {
        Bitmap(size: PixelSize(width: side, height: side), format: format) { pixels in
            // Noise, which no encoder makes smaller.
            var state: UInt64 = 1
            for index in pixels.indices {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                pixels[index] = UInt8(truncatingIfNeeded: state >> 56)
            }
        }
    }

    @Test("a bitmap becomes a photograph in the library, or in a file of the host's folder")
    func created() async throws {
        let folder = try ScratchFolder()
        try folder.write("b.jpg", [1])
        let identifiers = try await library.performChanges { [path = folder.path] changes in
            [
                try changes.createAsset(from: Self.bitmap(.rgba), originalFilename: "a"),
                try changes.createAsset(from: Self.bitmap(), originalFilename: "b", writingTo: path),
            ].map(\.localIdentifier)
        }
        let assets = Array(library.fetchAssets(withLocalIdentifiers: identifiers))
        #expect(assets.map(\.originalFilename) == ["a.png", "b.jpg"])
        #expect(assets.map(\.contentType) == [.png, .jpeg] && assets.allSatisfy { $0.pixelWidth == 8 })
        #expect(assets[0].resource.filePath == nil && assets[1].resource.filePath == folder.path + "/b 2.jpg")
        #expect(try assets[1].resource.open().bytes() == Self.bitmap().encoded(as: .jpeg(quality: 92)))
        #expect(assets[1].fileSize == (try assets[1].resource.open().byteCount))
    }

    @Test("what was written to a folder is known to an import of that folder, and is as it was")
    func imported() async throws {
        let folder = try ScratchFolder()
        try await library.performChanges { [path = folder.path] changes in
            try changes.createAsset(from: Self.bitmap(), originalFilename: "a", writingTo: path)
            try changes.createAsset(
                from: [.bytes(Self.bitmap(side: 9).encoded(as: .png))], originalFilename: "b.png", writingBytesTo: path)
        }
        let token = library.currentChangeToken
        let report = try await library.importFolder(at: folder.path)
        #expect(report.changed.isEmpty && report.added.isEmpty && report.alreadyPresentCount == 2)
        #expect(library.currentChangeToken == token)
    }

    @Test("a transaction that fails leaves no file, and a folder that is not there is its reason")
    func failed() async throws {
        struct Mine: Error {}
        let folder = try ScratchFolder()
        await #expect(throws: Mine.self) {
            try await library.performChanges { [path = folder.path] changes in
                try changes.createAsset(from: Self.bitmap(), writingTo: path)
                throw Mine()
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        let reason = ChangeError.Reason.unwritable(path: folder.path + "/no/Untitled.jpg", code: ENOENT)
        await #expect(throws: ChangeError(reason)) {
            try await library.performChanges { [path = folder.path] changes in
                try changes.createAsset(from: Self.bitmap(), writingTo: path + "/no")
            }
        }
        #expect(library.fetchAssets().isEmpty)
    }

    #if os(Linux)
    @Test("where half of what a transaction writes does not fit, nothing of it happened", .takesTurns)
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            let folder = try ScratchFolder()
            let library = PhotoLibrary()
            let old = try await library.performChanges { try $0.createAsset(from: Self.bitmap()) }
            let token = library.currentChangeToken
            // The limit on the length of files stands for the end of the disk.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 50_000, rlim_max: 50_000)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let reason = ChangeError.Reason.unwritable(path: folder.path + "/b.png", code: EFBIG)
            await #expect(throws: ChangeError(reason)) {
                try await library.performChanges { [path = folder.path] changes in
                    try changes.edit(old) { $0.isFavorite = true }
                    try changes.createAsset(from: Self.bitmap(), originalFilename: "a", writingTo: path)
                    try changes.createAsset(
                        from: Self.bitmap(side: 400), as: .png, originalFilename: "b", writingTo: path)
                }
            }
            #expect(ChangeError(reason).code == 3305)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            #expect(library.fetchAssets().count == 1 && library.fetchAssets()[0].isFavorite == false)
            #expect(library.currentChangeToken == token)
        }
    }
    #endif
}
