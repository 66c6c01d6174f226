import Testing
import ThumbwheelCore

@testable import ThumbwheelAssets

@Suite("Paths by their folders") struct PathTreeTests {
    private func path(_ name: String) -> FilePath { FilePath("/photos" + name) }

    @Test("a folder goes with all that is below it, and with nothing else")
    func removing() {
        var tree = PathTree()
        for name in ["", "/a", "/a/b/c", "/a/bc", "/ab", "/d/e"] { tree.insert(path(name)) }
        #expect(tree.contains(path("/a/b/c")) && !tree.contains(path("/a/b")) && !tree.isEmpty)
        #expect(Set(tree.removeAll(atOrBelow: path("/a/b"))) == [path("/a/b/c")])
        #expect(Set(tree.removeAll(atOrBelow: path("/a"))) == [path("/a"), path("/a/bc")])
        #expect(tree.removeAll(atOrBelow: path("/none")).isEmpty)
        tree.remove(path("/ab"))
        #expect(Set(tree.removeAll(atOrBelow: FilePath("/"))) == [path(""), path("/d/e")] && tree.isEmpty)
    }

    @Test("random insertions and removals give the same as a plain set", arguments: [1, 2, 3])
    func random(seed: UInt64) {
        var state = seed
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        var tree = PathTree()
        var plain: Set<FilePath> = []
        for _ in 0..<5000 {
            let name = path((0..<next(4)).map { _ in "/\(next(3))" }.joined())
            switch next(4) {
            case 0:
                let removed = plain.filter { $0 == name || $0.isBelow(name) }
                #expect(Set(tree.removeAll(atOrBelow: name)) == removed, "seed \(seed)")
                plain.subtract(removed)
            case 1:
                tree.remove(name)
                plain.remove(name)
            default:
                tree.insert(name)
                plain.insert(name)
            }
            #expect(tree.contains(name) == plain.contains(name) && tree.isEmpty == plain.isEmpty, "seed \(seed)")
        }
        #expect(Set(tree.removeAll(atOrBelow: FilePath("/"))) == plain, "seed \(seed)")
    }

    @Test("removing many folders one by one looks at each of them once or twice")
    func cost() {
        var tree = PathTree()
        let folders = (0..<20_000).map { path("/\($0 / 100)/\($0)") }
        for folder in folders { tree.insert(folder) }
        for folder in folders { #expect(tree.removeAll(atOrBelow: folder) == [folder]) }
        #expect(tree.isEmpty && tree.visitCount <= 2 * folders.count)
    }
}
