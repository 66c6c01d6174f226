import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("Input that nobody should send is kept as it is, or is a typed error")
struct BadInputTests {
    private let library = PhotoLibrary()

    private static let odd: [Double] = [
        -.infinity, -.greatestFiniteMagnitude, -1e18, Date.distantPast.timeIntervalSinceReferenceDate, -0.0,
        .leastNonzeroMagnitude, Date.distantFuture.timeIntervalSinceReferenceDate, 1e18, .greatestFiniteMagnitude,
        .infinity, .nan, -.nan, Double(nan: 7, signaling: false),
    ]

    @Test("dates outside any calendar are kept to the bit, sorted, fetched and edited")
    func dates() throws {
        let dates = Self.odd
        library.add(dates.enumerated().map { SampleAssets.asset($0.offset, created: $0.element) })
        func bits() -> [UInt64?] {
            library.fetchAssets().map { $0.creationDate?.timeIntervalSinceReferenceDate.bitPattern }
        }
        #expect(bits() == dates.map(\.bitPattern))
        let finite = (0..<10).map { $0 }
        for ascending in [true, false] {
            let sort = [AssetSortDescriptor(.creationDate, ascending: ascending)]
            let all = library.fetchAssets(with: FetchOptions(sortDescriptors: sort))
            #expect(all.count == dates.count)
            #expect(all.numbers.filter { $0 < 10 } == (ascending ? finite : finite.reversed()))
            for limit in 1...dates.count {
                let some = library.fetchAssets(with: FetchOptions(sortDescriptors: sort, fetchLimit: limit))
                #expect(some.numbers == Array(all.numbers.prefix(limit)))
            }
        }
        let predicate = try AssetPredicate(
            PredicateFormat("creationDate > %@", Date(timeIntervalSinceReferenceDate: 0)))
        #expect(library.fetchAssets(with: FetchOptions(predicate: predicate)).numbers == [5, 6, 7, 8, 9])
        // To itself, and nothing changes; to the next, and it is that.
        let token = library.currentChangeToken
        for asset in library.fetchAssets() {
            try library.performChangesAndWait { try $0.edit(asset) { $0.creationDate = asset.creationDate } }
        }
        #expect(library.currentChangeToken == token)
        let newest = library.fetchAssets(
            with: FetchOptions(sortDescriptors: [AssetSortDescriptor(.creationDate, ascending: false)]))
        let change = try library.changeMade { changes in
            for number in dates.indices {
                try changes.edit(SampleAssets.identifier(number)) { edits in
                    edits.creationDate = Date(timeIntervalSinceReferenceDate: dates[(number + 1) % dates.count])
                }
            }
        }
        #expect(bits() == (dates[1...] + dates[..<1]).map(\.bitPattern))
        #expect(try #require(change.changeDetails(for: newest)).applied() == Array(library.fetchAssets(like: newest)))
    }

    @Test("a library with a broken clock keeps its dates and loses no asset because of them", arguments: odd.indices)
    func clock(index: Int) throws {
        let date = Self.odd[index]
        let library = PhotoLibrary(
            configuration: PhotoLibrary.Configuration { $0.recentlyAddedInterval = date },
            now: { Date(timeIntervalSinceReferenceDate: date) })
        try library.performChangesAndWait { changes in
            let asset = try changes.createAsset(from: [.bytes(TinyImages.png(1, 1))])
            try changes.createAsset(from: [.bytes(TinyImages.png(2, 1))])
            try changes.deleteAssets([asset])
            // The asset was deleted at this very moment, so it is not older and must stay.
            try changes.deleteAssetsPermanently(trashedBefore: Date(timeIntervalSinceReferenceDate: date))
            try changes.createAlbum(title: "album")
        }
        let kept = try #require(library.fetchAssets().firstObject)
        #expect(library.fetchAssets().count == 1)
        #expect(kept.addedDate?.timeIntervalSinceReferenceDate.bitPattern == date.bitPattern)
        let counts = library.fetchAssetCollections(with: .smartAlbum).map { album in
            (album.assetCollectionSubtype, library.fetchAssets(in: album).count)
        }
        #expect(counts.first { $0.0 == .smartAlbumRecentlyDeleted }?.1 == 1)
        #expect(counts.first { $0.0 == .smartAlbumUserLibrary }?.1 == 1)
        #expect(counts.allSatisfy { $0.1 <= 1 })
        #expect(library.fetchAssetCollections(with: .album).map(\.localizedTitle) == ["album"])
    }

    @Test("coordinates that are no numbers, or on no globe, are kept")
    func coordinates() throws {
        let places = [
            Location(latitude: .nan, longitude: -.nan, altitude: .nan), Location(latitude: .infinity, longitude: 0),
            Location(latitude: 1e300, longitude: -1e300, altitude: -.infinity), Location(latitude: -0.0, longitude: 0),
        ]
        library.add(places.enumerated().map { SampleAssets.asset($0.offset, created: 1, location: $0.element) })
        for (asset, place) in zip(library.fetchAssets(), places) {
            #expect(asset.location?.latitude.bitPattern == place.latitude.bitPattern)
            #expect(asset.location?.longitude.bitPattern == place.longitude.bitPattern)
            #expect(asset.location?.altitude?.bitPattern == place.altitude?.bitPattern)
        }
        for key in [AssetSortDescriptor.Key.latitude, .longitude] {
            #expect(library.fetchAssets(with: FetchOptions(sortDescriptors: [AssetSortDescriptor(key)])).count == 4)
        }
        let token = library.currentChangeToken
        try library.performChangesAndWait { try $0.edit(SampleAssets.identifier(0)) { $0.location = places[0] } }
        #expect(library.currentChangeToken == token && library.fetchMoments(in: .gmt).count == 1)
        try library.performChangesAndWait { try $0.edit(SampleAssets.identifier(0)) { $0.location = nil } }
        #expect(library.fetchAssets()[0].location == nil)
    }

    @Test("extreme numbers are kept; those about a file are brought into a file's bounds")
    func numbers() {
        let sizes = [0, -1, Int.max, Int.min, Int(Int32.max) + 1]
        library.add(
            sizes.enumerated().map { number, size in
                SampleAssets.asset(
                    number, subtypes: AssetMediaSubtype(rawValue: .max), width: size, height: size, fileSize: size,
                    duration: number == 0 ? .nan : -.infinity)
            })
        let assets = library.fetchAssets()
        #expect(assets.map(\.fileSize) == [0, 0, 1 << 53, 0, Int(Int32.max) + 1])
        #expect(assets.map(\.pixelWidth) == [0, 0, Int(Int32.max), 0, Int(Int32.max)])
        #expect(assets.allSatisfy { $0.mediaSubtypes.rawValue == .max && !$0.duration.isFinite })
        let sort = FetchOptions(sortDescriptors: [AssetSortDescriptor(.fileSize)])
        #expect(library.fetchAssets(with: sort).map(\.fileSize) == assets.map(\.fileSize).sorted())
    }

    @Test("titles and names of nothing, of megabytes and of anything in them are kept")
    func titles() throws {
        let long = String(repeating: "ü𝄞\u{0}\n", count: 500_000)
        let titles = ["", long, "\u{202E}abc", "a/b", "..", "e\u{301}", "é"]
        try library.performChangesAndWait { changes in
            for (number, title) in titles.enumerated() {
                try changes.createAlbum(title: title)
                try changes.createFolder(title: title)
                try changes.createAsset(SampleAssets.asset(number, name: title, burst: title))
            }
        }
        let bytes = titles.map { Array($0.utf8) }
        let everything = FetchOptions(includeAllBurstAssets: true)
        #expect(library.fetchAssetCollections(with: .album).map { Array($0.localizedTitle!.utf8) } == bytes)
        #expect(library.fetchCollectionLists().map { Array($0.localizedTitle!.utf8) } == bytes)
        #expect(library.fetchAssets(with: everything).map { Array($0.originalFilename.utf8) } == bytes)
        #expect(library.fetchAssets(withBurstIdentifier: long, options: everything).numbers == [1])
        let found = try CollectionPredicate(PredicateFormat("localizedTitle == %@", long))
        #expect(
            library.fetchAssetCollections(with: .album, options: CollectionFetchOptions(predicate: found)).count == 1)
    }

    @Test("files and folders whose names are no Unicode are reported, and their neighbours imported")
    func names() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.png", TinyImages.png(1, 1))
        try folder.write("z.png", TinyImages.png(1, 1))
        func raw(_ name: [UInt8]) -> [CChar] {
            (Array((folder.path + "/").utf8) + name + [0]).map { CChar(bitPattern: $0) }
        }
        let file = open(raw([0x66, 0xFC, 0x72, 0x2E, 0x6A, 0x70, 0x67]), O_CREAT | O_WRONLY, 0o644)
        // Not every file system takes such names.
        guard file >= 0 else { return }
        close(file)
        mkdir(raw([0xFF, 0xFE]), 0o755)
        let report = try await library.importFolder(at: folder.path)
        #expect(report.added.map(\.originalFilename) == ["a.png", "z.png"])
        #expect(report.skipped.map(\.reason) == [.nameNotUnicode, .nameNotUnicode])
        #expect(report.skipped.contains { $0.path.hasSuffix("/f\u{FFFD}r.jpg") })
        #expect(try await library.importFolder(at: folder.path).removed.isEmpty)
        unlink(raw([0x66, 0xFC, 0x72, 0x2E, 0x6A, 0x70, 0x67]))
        rmdir(raw([0xFF, 0xFE]))
    }

    @Test("folders on disk that go deeper than a path can name are reported, and what is above them is imported")
    func deepPaths() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.png", TinyImages.png(1, 1))
        let name = String(repeating: "d", count: 200)
        var levels = [open(folder.path, O_RDONLY | O_DIRECTORY)]
        for _ in 0..<40 {
            mkdirat(levels[levels.count - 1], name, 0o755)
            levels.append(openat(levels[levels.count - 1], name, O_RDONLY | O_DIRECTORY))
        }
        defer {
            for level in levels.dropLast().reversed() { unlinkat(level, name, AT_REMOVEDIR) }
            for level in levels { close(level) }
        }
        let report = try await library.importFolder(at: folder.path)
        #expect(report.added.count == 1 && report.skipped.count == 1)
        guard case .unreadable(.unreadable(_, ENAMETOOLONG)) = report.skipped.first?.reason else {
            Issue.record("\(report.skipped)")
            return
        }
    }

    @Test("100 000 nested folders are made, fetched, moved and deleted")
    func nestedFolders() throws {
        let depth = 100_000
        let folders = try library.performChangesAndWait { changes in
            var folders = [try changes.createFolder(title: "0")]
            for number in 1..<depth {
                folders.append(try changes.createFolder(title: "\(number)", in: folders[number - 1]))
            }
            let album = try changes.createAlbum(title: "album", in: folders[depth - 1])
            try changes.createAsset(SampleAssets.asset(0))
            try changes.addAssets([SampleAssets.identifier(0)], to: album)
            return folders
        }
        #expect(library.fetchCollectionLists().count == depth)
        let album = try #require(library.fetchAssetCollections(with: .album).first)
        #expect(library.fetchCollectionListsContaining(album).map(\.identifier) == [folders[depth - 1].identifier])
        #expect(throws: ChangeError(.cyclicFolder(folders[0].identifier))) {
            try library.performChangesAndWait { try $0.addChildCollections([folders[0]], to: folders[depth - 1]) }
        }
        // The lower half to the top, and back to the end of the upper.
        let half = depth / 2
        try library.performChangesAndWait { try $0.removeChildCollections([folders[half]], from: folders[half - 1]) }
        #expect(library.fetchTopLevelUserCollections().count == 2)
        try library.performChangesAndWait { try $0.addChildCollections([folders[half]], to: folders[0]) }
        #expect(library.fetchTopLevelUserCollections().count == 1)
        let change = try library.changeMade { try $0.deleteCollections([folders[0]]) }
        #expect(library.fetchCollectionLists().isEmpty && library.fetchAssetCollections(with: .album).isEmpty)
        #expect(change.changeDetails(for: album)?.objectWasDeleted == true && library.fetchAssets().count == 1)
    }

    @Test("100 000 transient lists, each in the next, are let go of")
    func nestedLists() {
        var list = CollectionList.transientCollectionList(with: [CollectionItem]())
        let innermost = list
        for _ in 0..<100_000 { list = CollectionList.transientCollectionList(with: [list]) }
        let kept = library.fetchCollections(in: list)
        list = innermost
        #expect(kept.count == 1 && library.fetchCollections(in: list).isEmpty)
    }

    @Test("a format string of 100 000 terms in a row is read, or is an error")
    func longFormats() {
        for word in [" AND ", " OR "] {
            let format = Array(repeating: "favorite == YES", count: 100_000).joined(separator: word)
            // Whichever it is, no stack overflows.
            let predicate = try? AssetPredicate(PredicateFormat(format))
            #expect(library.fetchAssets(with: FetchOptions(predicate: predicate)).isEmpty)
        }
    }

    private struct Provider: ResourceProvider {
        struct Source: ByteSource {
            let byteCount: Int

            func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
                throw .unreadable(path: "cloud", code: 5)
            }
        }

        let byteCount: Int?
        var requiresNetwork = false
        var identifier: String { "provider" }

        func open() throws(ByteSourceError) -> any ByteSource {
            guard let byteCount else { throw .notFound(path: "cloud") }
            return Source(byteCount: byteCount)
        }
    }

    @Test("a provider that throws when it is opened, or only when it is read, is an error of its transaction")
    func providers() async throws {
        let good = try await library.performChanges { try $0.createAsset(from: [.bytes(TinyImages.png(1, 1))]) }
        let recipe = AdjustmentData(formatIdentifier: "a", formatVersion: "1", data: [])
        let token = library.currentChangeToken
        let providers: [(Provider, ByteSourceError)] = [
            (Provider(byteCount: nil), .notFound(path: "cloud")),
            (Provider(byteCount: 100), .unreadable(path: "cloud", code: 5)),
        ]
        for (provider, error) in providers {
            await #expect(throws: ChangeError(.invalidResource(.source(error)))) {
                try await library.performChanges { _ = try $0.createAsset(from: [.provider(provider)]) }
            }
            await #expect(throws: ChangeError(.invalidResource(.source(error)))) {
                try await library.performChanges {
                    try $0.setAdjusted(good, rendering: .provider(provider), adjustmentData: recipe)
                }
            }
            let remote = Provider(byteCount: provider.byteCount, requiresNetwork: true)
            await #expect(throws: ChangeError(.invalidResource(.source(error)))) {
                try await AssetResource.provider(remote).readingHead()
            }
        }
        #expect(library.currentChangeToken == token)
    }
}
