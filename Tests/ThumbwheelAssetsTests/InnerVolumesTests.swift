import Foundation
import TestSupport
import Testing
import ThumbwheelLocks

@testable import ThumbwheelAssets

@Suite("Volumes inside watched folders") struct InnerVolumesTests {
    private let folder: TemporaryFolder
    private let library = PhotoLibrary()
    private let kernel = ManualKernel()
    private let vanished = Vanished()
    private let root: FilePath
    /// The path at which the test mounts volumes.
    private let card: FilePath

    /// The folders of which the host was told that they have vanished.
    private final class Vanished: Sendable {
        private let paths = Mutex<[String]>([])

        func note(_ event: FollowEvent) {
            if case .folderVanished(let path) = event { paths.withLock { $0.append(path) } }
        }

        func take() -> [String] {
            paths.withLock { paths in
                defer { paths = [] }
                return paths
            }
        }
    }

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("root/a.png", Self.picture(1))
        try folder.write("one/b.png", Self.picture(2))
        try folder.write("one/inner/c.png", Self.picture(3))
        root = FilePath(try FileStatus.canonicalPath(folder.path + "/root"))
        card = root.appending("card")
    }

    private static func picture(_ number: UInt8) -> [UInt8] { TinyImages.png(4, 3) + [number] }

    private func move(_ path: String, _ other: String) throws {
        try FileManager.default.moveItem(atPath: folder.path + "/" + path, toPath: folder.path + "/" + other)
    }

    private func remove(_ path: String) throws {
        try FileManager.default.removeItem(atPath: folder.path + "/" + path)
    }

    /// Mounts the folder `name` as a volume.
    private func mount(_ name: String, _ device: UInt64) throws {
        try? remove("root/card")
        try move(name, "root/card")
        kernel.state.withLock { $0.volumes[card] = device }
    }

    /// Unmounts the volume, which is the folder `name` again, and leaves an empty folder at its mount point.
    private func unmount(_ name: String) throws {
        try move("root/card", name)
        try FileManager.default.createDirectory(atPath: card.text, withIntermediateDirectories: true)
        kernel.state.withLock { $0.volumes[card] = nil }
    }

    private func follower() throws -> (follower: FolderFollower, run: FolderFollower.Run) {
        let follower = try library.follower(of: root.text, FollowOptions(), kernel) { [vanished] in vanished.note($0) }
        return (follower, follower.begin())
    }

    /// Lets time pass.
    ///
    /// - Returns: the folders of which the host is told meanwhile that they have vanished.
    @discardableResult
    private func pass(
        _ seconds: Double, _ followed: inout (follower: FolderFollower, run: FolderFollower.Run)
    ) -> [String] {
        kernel.state.withLock { $0.limit = $0.now + .seconds(seconds) }
        repeat { followed.follower.step(&followed.run) } while !kernel.isAtLimit
        return vanished.take()
    }

    private var names: [String] { library.fetchAssets().map(\.originalFilename).sorted() }

    @Test("an unmounted volume inside the folder leaves its assets, with and without its mount point")
    func unmounted() throws {
        try mount("one", 7)
        var followed = try follower()
        #expect(pass(1, &followed).isEmpty && names == ["a.png", "b.png", "c.png"])
        try unmount("one")
        kernel.tell(.vanished(card), .vanished(card.appending("inner")))
        #expect(pass(1, &followed) == [card.text] && names == ["a.png", "b.png", "c.png"])
        kernel.tell(.overflow)
        #expect(pass(1, &followed).isEmpty && names == ["a.png", "b.png", "c.png"])
        try remove("root/card")
        try remove("root/a.png")
        kernel.tell(.removed(card, wasFolder: true), .removed(root.appending("a.png"), wasFolder: false))
        // The other files of the folder are as gone as ever.
        #expect(pass(1, &followed).isEmpty && names == ["b.png", "c.png"])
    }

    @Test("a volume that is mounted again is scanned without an event, under another device number too")
    func mountedAgain() throws {
        try mount("one", 7)
        var followed = try follower()
        pass(1, &followed)
        try unmount("one")
        #expect(pass(61, &followed) == [card.text])
        try remove("one/b.png")
        try folder.write("one/d.png", Self.picture(4))
        try mount("one", 8)
        #expect(pass(61, &followed).isEmpty && names == ["a.png", "c.png", "d.png"])
        #expect(kernel.watched.contains(card))
        // While it is mounted, its files go as any others.
        try remove("root/card/inner/c.png")
        kernel.tell(.removed(card.appending("inner").appending("c.png"), wasFolder: false))
        #expect(pass(1, &followed).isEmpty && names == ["a.png", "d.png"])
    }

    @Test("volumes that are mounted at one path in turn keep each other's assets")
    func inTurn() throws {
        try folder.write("two/e.png", Self.picture(5))
        try mount("one", 7)
        var followed = try follower()
        pass(1, &followed)
        try unmount("one")
        // The system gives the number of the first volume to the second one.
        pass(61, &followed)
        try mount("two", 7)
        pass(61, &followed)
        #expect(names == ["a.png", "b.png", "c.png", "e.png"])
        try unmount("two")
        pass(61, &followed)
        try mount("one", 9)
        pass(61, &followed)
        #expect(names == ["a.png", "b.png", "c.png", "e.png"])
    }

    @Test("a link to a volume: assets stay while the volume is away, and go with the link")
    func links() throws {
        try folder.link("root/card", to: "../one")
        kernel.state.withLock { $0.volumes[card] = 7 }
        var followed = try follower()
        pass(1, &followed)
        #expect(names == ["a.png", "b.png", "c.png"])
        try move("one", "away")
        #expect(pass(61, &followed) == [card.text] && names == ["a.png", "b.png", "c.png"])
        try remove("root/card")
        kernel.tell(.removed(card, wasFolder: false))
        #expect(pass(1, &followed).isEmpty && names == ["a.png"])
    }

    @Test("a volume that is unmounted while the folder is scanned leaves its assets")
    func unmountedDuringScan() throws {
        try mount("one", 7)
        var followed = try follower()
        pass(1, &followed)
        let (path, card) = (folder.path, card)
        kernel.state.withLock { state in
            state.watching = { watched in
                guard watched == card else { return }
                try? FileManager.default.moveItem(atPath: card.text, toPath: path + "/one")
            }
        }
        kernel.tell(.overflow)
        #expect(pass(1, &followed) == [card.text] && names == ["a.png", "b.png", "c.png"])
    }

    @Test("a volume without photographs that is mounted again is like any other: its files come and go")
    func emptyVolume() throws {
        try folder.write("blank/notes.txt", [1])
        try mount("blank", 7)
        var followed = try follower()
        pass(1, &followed)
        try unmount("blank")
        #expect(pass(61, &followed).isEmpty)
        try mount("blank", 7)
        pass(61, &followed)
        let (new, other) = (card.appending("d.png"), card.appending("e.png"))
        for (path, number) in [(new, 4), (other, 5)] as [(FilePath, UInt8)] {
            try folder.write("root/card/" + path.lastComponent, Self.picture(number))
            kernel.tell(.written(path))
        }
        pass(1, &followed)
        #expect(names == ["a.png", "d.png", "e.png"])
        try remove("root/card/d.png")
        kernel.tell(.removed(new, wasFolder: false))
        pass(1, &followed)
        #expect(names == ["a.png", "e.png"])
        try unmount("blank")
        #expect(pass(61, &followed) == [card.text] && names == ["a.png", "e.png"])
    }

    @Test("files of the second volume at a path are renamed and removed as any others, and of the first one again")
    func changesOnSecond() throws {
        // Given: a second volume in place of the first one
        try folder.write("two/e.png", Self.picture(5))
        try folder.write("two/f.png", Self.picture(6))
        try mount("one", 7)
        var followed = try follower()
        pass(1, &followed)
        try move("root/card", "one")
        try mount("two", 8)
        #expect(pass(61, &followed) == [card.text])
        // When
        let (former, new, other) = (card.appending("e.png"), card.appending("g.png"), card.appending("f.png"))
        try move("root/card/e.png", "root/card/g.png")
        try remove("root/card/f.png")
        kernel.tell(.removed(former, wasFolder: false), .written(new), .removed(other, wasFolder: false))
        pass(1, &followed)
        // Then
        #expect(names == ["a.png", "b.png", "c.png", "g.png"])
        try unmount("two")
        #expect(pass(61, &followed) == [card.text])
        try mount("one", 7)
        try remove("root/card/b.png")
        pass(61, &followed)
        #expect(names == ["a.png", "c.png", "g.png"])
    }

    @Test("a volume that is away when the program starts keeps its assets, and is scanned when it is mounted")
    func awayAtStart() throws {
        try mount("one", 7)
        var former = try follower()
        pass(1, &former)
        try unmount("one")
        var followed = try follower()
        #expect(pass(1, &followed) == [card.text] && names == ["a.png", "b.png", "c.png"])
        kernel.tell(.overflow)
        #expect(pass(1, &followed).isEmpty && names == ["a.png", "b.png", "c.png"])
        try remove("one/b.png")
        try mount("one", 8)
        #expect(pass(61, &followed).isEmpty && names == ["a.png", "c.png"])
    }

    @Test("a folder that was emptied before the program starts is one like others as soon as something is in it")
    func emptiedBeforeStart() throws {
        try folder.write("root/card/d.png", Self.picture(4))
        var former = try follower()
        pass(1, &former)
        try remove("root/card/d.png")
        var followed = try follower()
        #expect(pass(1, &followed) == [card.text] && names == ["a.png", "d.png"])
        try folder.write("root/card/e.png", Self.picture(5))
        kernel.tell(.written(card.appending("e.png")))
        pass(1, &followed)
        kernel.tell(.overflow)
        pass(1, &followed)
        #expect(names == ["a.png", "e.png"])
    }

    @Test("a followed folder that is empty when the program starts leaves its assets")
    func emptyAtStart() throws {
        var former = try follower()
        pass(1, &former)
        try move("root/a.png", "a.png")
        var followed = try follower()
        #expect(pass(1, &followed) == [root.text] && names == ["a.png"])
        // A volume that is mounted there and empty has lost its files indeed.
        kernel.state.withLock { $0.volumes[root] = 7 }
        pass(61, &followed)
        #expect(names == [])
    }

    @Test("a volume that is mounted only as its folder is opened is not away")
    func automounter() throws {
        try mount("one", 7)
        let (kernel, card) = (kernel, card)
        kernel.state.withLock { state in
            state.watching = { if $0 == card { kernel.state.withLock { $0.volumes[card] = 8 } } }
        }
        var followed = try follower()
        #expect(pass(1, &followed).isEmpty && names == ["a.png", "b.png", "c.png"])
        #expect(pass(61, &followed).isEmpty)
    }

    @Test("an import elsewhere does not look at a volume, which may be that of a server that does not answer")
    func importElsewhere() throws {
        try mount("one", 7)
        var followed = try follower()
        pass(1, &followed)
        kernel.state.withLock { $0.asked = [] }
        try folder.write("root/d.png", Self.picture(4))
        kernel.tell(.written(root.appending("d.png")))
        pass(1, &followed)
        #expect(names == ["a.png", "b.png", "c.png", "d.png"])
        #expect(!kernel.state.withLock { $0.asked }.contains(card))
        // Once a minute all volumes are looked at.
        pass(61, &followed)
        #expect(kernel.state.withLock { $0.asked }.contains(card))
    }
}
