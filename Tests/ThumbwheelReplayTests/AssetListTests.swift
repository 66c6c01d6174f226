import Testing
import Thumbwheel

@testable import ThumbwheelReplay

@Suite("AssetList")
struct AssetListTests {
    @Test("is what an array of its assets would be, whatever is done to it", arguments: UInt64(0)..<20)
    func reference(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let total = 40
        var list = AssetList(count: 20)
        var numbers = Array(0..<20)
        var versions = Array(repeating: UInt32(0), count: total)
        for step in 0..<300 {
            switch generator.index(below: 4) {
            case 0:
                let absent = (0..<total).filter { !numbers.contains($0) }
                guard !absent.isEmpty else { continue }
                let (asset, item) = (
                    absent[generator.index(below: absent.count)], generator.index(below: numbers.count + 1)
                )
                list.insert(asset, at: item)
                numbers.insert(asset, at: item)
            case 1 where !numbers.isEmpty:
                let item = generator.index(below: numbers.count)
                #expect(list.remove(at: item) == numbers.remove(at: item))
            case 2 where !numbers.isEmpty:
                let item = generator.index(below: numbers.count)
                list.change(at: item)
                versions[numbers[item]] += 1
            default: break
            }
            let expected = numbers.map { AssetState(number: $0, version: versions[$0]) }
            #expect((0..<list.count).map { list[$0] } == expected, "seed \(seed), step \(step)")
            let places = list.places
            for number in 0..<total {
                let state = list.state(ofAsset: number)
                #expect(places.item(of: state) == numbers.firstIndex(of: number), "seed \(seed), step \(step)")
                #expect(list.contains(number) == numbers.contains(number))
                #expect(places.item(of: AssetState(number: number, version: state.version + 1)) == nil)
            }
        }
    }

    @Test("an album is left for the library as it was")
    func albums() {
        var contents = GridContents(count: 10)
        contents.apply(.move(from: 0, to: 9))
        contents.apply(.enter(3..<5))
        #expect(contents.list.count == 2 && contents.list[0].number == 3 && contents.isInAlbum)
        contents.apply(.enter(7..<8))
        contents.apply(.leave)
        #expect(contents.list.count == 10 && contents.list[9].number == 0 && !contents.isInAlbum)
        contents.apply(.leave)
        #expect(contents.list.count == 10)
    }

    @Test(
        "edits of what is not there are refused",
        arguments: [
            .leave, .enter(5..<21), .insert(asset: 3, at: 0), .insert(asset: 20, at: 0), .insert(asset: 15, at: 11),
            .remove(at: 10), .change(at: -1), .move(from: 0, to: 10), .move(from: 10, to: 0),
        ] as [ListEdit])
    func objections(_ edit: ListEdit) {
        #expect(GridContents(count: 10).objection(to: edit, assetCount: 20) != nil)
    }
}
