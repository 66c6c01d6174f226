import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats

@Suite struct PhotoLibraryTests {
    private func asset(_ number: UInt64, day: Int = 1) throws -> Asset {
        try Asset(
            reading: .bytes(TinyImages.jpeg(day: day)), identifier: AssetIdentifier(high: 0, low: number),
            originalFilename: "\(number).jpg")
    }

    @Test("assets come back in the order in which they were added, each once")
    func order() throws {
        let library = PhotoLibrary()
        #expect(library.add([try asset(3), try asset(1), try asset(3)]) == 2)
        #expect(library.add([try asset(1), try asset(2)]) == 1)
        #expect(library.fetchAssets().map(\.identifier.low) == [3, 1, 2])
        #expect(library.fetchAssets().countOfAssets(with: .image) == 3)
        #expect(library.fetchAssets().countOfAssets(with: .video) == 0)
    }

    @Test("a result does not change when its library does")
    func immutableResult() throws {
        let library = PhotoLibrary()
        library.add([try asset(1)])
        let before = library.fetchAssets()
        library.add([try asset(2)])
        #expect(before.count == 1)
        #expect(library.fetchAssets().count == 2)
        #expect(before != library.fetchAssets())
    }

    @Test("sorting by date is stable in both directions, and the limit comes after it")
    func sorting() throws {
        let library = PhotoLibrary()
        let undated = try Asset(
            reading: .bytes(TinyImages.png(1, 1)), identifier: AssetIdentifier(high: 0, low: 5),
            originalFilename: "5.png")
        library.add([try asset(1, day: 9), try asset(2, day: 3), try asset(3, day: 9), try asset(4, day: 5), undated])
        func fetched(ascending: Bool, limit: Int = 0) -> [UInt64] {
            let sort = AssetSortDescriptor(.creationDate, ascending: ascending)
            return library.fetchAssets(with: FetchOptions(sortDescriptors: [sort], fetchLimit: limit))
                .map(\.identifier.low)
        }
        #expect(fetched(ascending: true) == [5, 2, 4, 1, 3])
        #expect(fetched(ascending: false) == [1, 3, 4, 2, 5])
        #expect(fetched(ascending: false, limit: 2) == [1, 3])
        #expect(library.fetchAssets(with: FetchOptions(fetchLimit: 2)).map(\.identifier.low) == [1, 2])
    }

    @Test("a fetch by identifiers keeps their order, drops what is missing and gives duplicates once")
    func identifiers() throws {
        let library = PhotoLibrary()
        let assets = [try asset(1), try asset(2), try asset(3)]
        library.add(assets)
        let wanted = [assets[2], assets[0], assets[2], try asset(9)].map(\.localIdentifier) + ["nonsense"]
        #expect(library.fetchAssets(withLocalIdentifiers: wanted).map(\.identifier.low) == [3, 1])
        #expect(library.asset(withIdentifier: assets[1].identifier)?.originalFilename == "2.jpg")
        #expect(library.asset(withIdentifier: AssetIdentifier(high: 7, low: 7)) == nil)
    }

    @Test("bytes added twice are one asset")
    func bytes() throws {
        let time = Date(timeIntervalSince1970: 1000)
        let library = PhotoLibrary(now: { time })
        let first = try library.addAsset(bytes: TinyImages.png(3, 2), filename: "a.png")
        let again = try library.addAsset(bytes: TinyImages.png(3, 2), filename: "a.png")
        #expect(first == again)
        #expect(first.addedDate == time)
        #expect(try library.addAsset(bytes: TinyImages.png(3, 2), filename: "b.png") != first)
        #expect(library.fetchAssets().count == 2)
        #expect(throws: HeadError.unknownType) { try library.addAsset(bytes: [0], filename: "c.png") }
    }
}
