import Foundation
import Testing

@testable import ThumbwheelAssets

@Suite struct ImportedPhotographsTests {
    private func photograph(_ name: String, _ number: Int) -> ImportedPhotograph {
        let path = FilePath("/photos/\(name)")
        return ImportedPhotograph(
            FolderWalk.File(path: path, name: name, modificationDate: Date(), byteCount: number, node: 0),
            HeadReading.Photograph(asset: SampleAssets.asset(number), contentIdentifier: nil, mark: FileMark()))
    }

    @Test("a photograph is found by its path once, and its metadata is then gone")
    func taking() {
        var photographs = ImportedPhotographs([photograph("a", 1), nil, photograph("b", 2), photograph("a", 3)])
        #expect(photographs.all.map(\.file.byteCount) == [1, 2, 3])
        #expect(photographs.take(FilePath("/photos/c"))?.file.byteCount == nil)
        #expect(photographs.take(FilePath("/photos/a"))?.file.byteCount == 1)
        #expect(photographs.all.map(\.file.byteCount) == [2, 3])
        #expect(photographs.take(FilePath("/photos/a"))?.file.byteCount == nil)
        #expect(photographs.take(FilePath("/photos/b"))?.original == SampleAssets.asset(2))
    }

    @Test("a value in an object of its own is changed in one copy alone")
    func boxes() {
        struct Pair: Equatable {
            @Boxed var one: Int
            var other = 0
        }
        let before = Pair(one: 1)
        var after = before
        #expect(after == before)
        after.one = 2
        #expect(before.one == 1 && after.one == 2 && after != before)
    }
}
