import Dispatch
import Foundation
import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelAssets

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("Watched folders", .endsHangs) struct FollowingTests {
    /// A follower with a kernel and a clock that the test drives.
    private final class Followed {
        let library: PhotoLibrary
        let folder: TemporaryFolder
        let path: FilePath
        let kernel = ManualKernel()
        let follower: FolderFollower
        private var run: FolderFollower.Run

        init(
            _ folder: TemporaryFolder, _ part: String = "", in library: PhotoLibrary = PhotoLibrary()
        ) throws {
            (self.library, self.folder) = (library, folder)
            path = FilePath(try FileStatus.canonicalPath(folder.path + part))
            let told = Told()
            self.told = told
            follower = try library.follower(of: path.text, FollowOptions(), kernel) { told.add($0) }
            run = follower.begin()
        }

        final class Told: Sendable {
            private let events = Mutex<[FollowEvent]>([])

            func add(_ event: FollowEvent) { events.withLock { $0.append(event) } }

            func take() -> [FollowEvent] {
                events.withLock { events in
                    defer { events = [] }
                    return events
                }
            }
        }

        private let told: Told

        func at(_ name: String) -> FilePath { name.isEmpty ? path : path.appending(name) }

        /// Lets time pass.
        ///
        /// - Returns: what the host is told meanwhile.
        @discardableResult
        func pass(_ seconds: Double) -> [FollowEvent] {
            kernel.state.withLock { $0.limit = $0.now + .seconds(seconds) }
            repeat { follower.step(&run) } while !kernel.isAtLimit
            return told.take()
        }

        func tell(_ events: FolderEvent...) { for event in events { kernel.tell(event) } }

        var names: [String] { library.fetchAssets().map(\.originalFilename) }
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func picture(_ number: Int) -> [UInt8] {
        TinyImages.png(4, 3) + [UInt8(number % 251), UInt8(number / 251)]
    }

    private func reports(_ events: [FollowEvent]) -> [ImportReport] {
        events.compactMap { if case .imported(let report) = $0 { report } else { nil } }
    }

    private func move(_ name: String, _ other: String) throws {
        try FileManager.default.moveItem(atPath: folder.path + "/" + name, toPath: folder.path + "/" + other)
    }

    @Test("the folder is imported first, with all its folders watched before they are listed")
    func firstScan() throws {
        try folder.write("a.png", picture(1))
        try folder.write("sub/deep/b.png", picture(2))
        let followed = try Followed(folder)
        // A file that comes when its folder is about to be listed is found by the listing.
        let path = folder.path
        followed.kernel.state.withLock { state in
            state.watching = { watched in
                guard watched.lastComponent == "deep" else { return }
                try? Data(TinyImages.png(9, 9)).write(to: URL(filePath: path + "/sub/deep/late.png"))
            }
        }
        #expect(reports(followed.pass(1)).map(\.added.count) == [3])
        #expect(followed.kernel.watched == [followed.at(""), followed.at("sub"), followed.at("sub/deep")])
        #expect(followed.names == ["a.png", "b.png", "late.png"])
    }

    @Test("ten thousand new files are one transaction a batch, and observers are told once a batch")
    func burst() throws {
        let followed = try Followed(folder)
        followed.pass(1)
        for number in 0..<10_050 {
            try folder.writeQuickly("\(number).png", picture(number))
            followed.tell(.growing(followed.at("\(number).png")), .written(followed.at("\(number).png")))
        }
        let start = followed.library.currentChangeToken
        let reports = reports(followed.pass(10))
        #expect(reports.map(\.added.count) == [10_000, 50])
        #expect(try followed.library.fetchPersistentChanges(since: start).count == 2)
    }

    @Test("a file that is not closed yet is not imported, neither by a batch nor by a scan")
    func halfWritten() throws {
        let followed = try Followed(folder)
        followed.pass(1)
        try folder.write("half.png", Array(picture(1).prefix(20)))
        try folder.write("whole.png", picture(2))
        followed.tell(.growing(followed.at("half.png")), .written(followed.at("whole.png")))
        #expect(reports(followed.pass(1)).map(\.added.count) == [1] && followed.names == ["whole.png"])
        followed.tell(.overflow)
        let events = followed.pass(1)
        guard case .eventsLost = events.first else { return #expect(Bool(false), "\(events)") }
        #expect(reports(events).map(\.skipped.count) == [0] && followed.names == ["whole.png"])
        try folder.write("half.png", picture(1))
        followed.tell(.written(followed.at("half.png")))
        #expect(reports(followed.pass(1)).map(\.added.count) == [1])
        // A writer that keeps its file open is waited for until it is quiet.
        try folder.write("open.png", picture(3))
        followed.tell(.growing(followed.at("open.png")))
        #expect(reports(followed.pass(4)).isEmpty && reports(followed.pass(2)).map(\.added.count) == [1])
    }

    @Test("an unfinished file whose asset is known does not count as gone")
    func rewritten() throws {
        try folder.write("a.png", picture(1))
        let followed = try Followed(folder)
        followed.pass(1)
        try folder.write("a.png", Array(picture(2).prefix(10)))
        followed.tell(.growing(followed.at("a.png")), .overflow)
        #expect(reports(followed.pass(1)).allSatisfy { $0.removed.isEmpty && $0.changed.isEmpty })
        #expect(followed.names == ["a.png"])
    }

    @Test("changed, removed and renamed files keep their identity, and so do those of a renamed folder")
    func changes() throws {
        for number in 1...4 { try folder.write("\(number).png", picture(number)) }
        try folder.write("sub/5.png", picture(5))
        let followed = try Followed(folder)
        followed.pass(1)
        let before = followed.library.fetchAssets().map(\.identifier)
        try folder.write("1.png", picture(77) + [0])
        try FileManager.default.removeItem(atPath: folder.path + "/2.png")
        try move("3.png", "three.png")
        try move("sub", "other")
        followed.tell(
            .written(followed.at("1.png")), .removed(followed.at("2.png"), wasFolder: false),
            .removed(followed.at("3.png"), wasFolder: false), .written(followed.at("three.png")),
            .removed(followed.at("sub"), wasFolder: true), .folder(followed.at("other"), isComplete: true))
        let report = try #require(reports(followed.pass(1)).first)
        #expect(report.changed.map(\.identifier) == [before[0]] && report.removed.map(\.identifier) == [before[1]])
        #expect(Set(report.moved.map(\.identifier)) == [before[2], before[4]] && report.added.isEmpty)
        #expect(followed.kernel.watched == [followed.at(""), followed.at("other")])
        let paths = followed.library.fetchAssets().compactMap { $0.resources.first?.filePath }
        #expect(paths.contains(followed.at("other/5.png").text))
    }

    @Test(
        "a file that goes from one watched folder to another is one asset, whichever of them is imported first",
        arguments: [false, true])
    func betweenFolders(isTargetFirst: Bool) throws {
        try folder.write("one/a.png", picture(1))
        try folder.write("two/b.png", picture(2))
        let library = PhotoLibrary()
        let (one, two) = (try Followed(folder, "/one", in: library), try Followed(folder, "/two", in: library))
        one.pass(1)
        two.pass(1)
        let asset = try #require(library.fetchAssets().first)
        try library.performChangesAndWait { try $0.edit(asset) { $0.isFavorite = true } }
        try move("one/a.png", "two/c.png")
        one.tell(.removed(one.at("a.png"), wasFolder: false))
        two.tell(.written(two.at("c.png")))
        for followed in isTargetFirst ? [two, one] : [one, two] { followed.pass(1) }
        #expect(library.fetchAssets().map(\.originalFilename).sorted() == ["b.png", "c.png"])
        #expect(library.asset(withIdentifier: asset.identifier)?.isFavorite == true)
    }

    @Test("files in a new folder that came before it was watched wait until they are quiet")
    func newFolder() throws {
        let followed = try Followed(folder)
        followed.pass(1)
        try folder.write("new/deep/a.png", picture(1))
        try folder.write("new/b.png", picture(2))
        followed.tell(.folder(followed.at("new"), isComplete: false), .written(followed.at("new/b.png")))
        #expect(reports(followed.pass(1)).map { $0.added.map(\.originalFilename) } == [["b.png"]])
        #expect(followed.kernel.watched.contains(followed.at("new/deep")))
        #expect(reports(followed.pass(5)).map { $0.added.map(\.originalFilename) } == [["a.png"]])
    }

    @Test("a folder beyond the limit of watches is reported once, and scanned until it can be watched")
    func watchLimit() throws {
        try folder.write("sub/a.png", picture(1))
        let followed = try Followed(folder)
        followed.kernel.refuse(followed.at("sub"), ENOSPC)
        func refusals(_ events: [FollowEvent]) -> [String] {
            events.compactMap { if case .unwatchable(let path, ENOSPC) = $0 { path } else { nil } }
        }
        let first = followed.pass(1)
        #expect(refusals(first) == [followed.at("sub").text] && reports(first).map(\.added.count) == [1])
        try folder.write("sub/b.png", picture(2))
        let second = followed.pass(60)
        #expect(refusals(second).isEmpty && reports(second).map(\.added.count) == [1])
        followed.kernel.refuse(followed.at("sub"), nil)
        followed.pass(60)
        #expect(followed.kernel.watched.contains(followed.at("sub")))
        #expect(followed.pass(600).isEmpty)
    }

    @Test("a folder that vanishes leaves its assets, and is scanned when it is back")
    func vanished() throws {
        try folder.write("root/a.png", picture(1))
        let followed = try Followed(folder, "/root")
        followed.pass(1)
        try move("root", "away")
        followed.tell(.vanished(followed.at("")))
        let events = followed.pass(130)
        guard events.count == 1, case .folderVanished(followed.path.text) = events[0] else {
            return #expect(Bool(false), "\(events)")
        }
        #expect(followed.names == ["a.png"] && followed.kernel.watched.isEmpty)
        try folder.write("root/b.png", picture(2))
        let report = try #require(reports(followed.pass(60)).first)
        #expect(
            report.added.map(\.originalFilename) == ["b.png"] && report.removed.map(\.originalFilename) == ["a.png"])
        #expect(followed.kernel.watched == [followed.at("")])
    }

    @Test("a mount point without its volume leaves the assets, and the volume is watched again without an event")
    func unmounted() throws {
        try folder.write("root/a.png", picture(1))
        let followed = try Followed(folder, "/root")
        followed.pass(1)
        try move("root", "away")
        try FileManager.default.createDirectory(atPath: folder.path + "/root", withIntermediateDirectories: true)
        followed.tell(.vanished(followed.at("")))
        let events = followed.pass(1)
        guard events.count == 1, case .folderVanished(followed.path.text) = events[0] else {
            return #expect(Bool(false), "\(events)")
        }
        #expect(followed.names == ["a.png"] && followed.kernel.watched.isEmpty)
        // It is not reported again.
        #expect(followed.pass(130).isEmpty && followed.names == ["a.png"])
        try FileManager.default.removeItem(atPath: folder.path + "/root")
        try move("away", "root")
        #expect(reports(followed.pass(130)).map(\.alreadyPresentCount) == [1])
        #expect(followed.names == ["a.png"] && followed.kernel.watched == [followed.at("")])
    }

    @Test("a folder that is exchanged without an event, as one above it is renamed, is noticed and imported")
    func exchanged() throws {
        try folder.write("above/root/a.png", picture(1))
        try folder.write("other/root/a.png", picture(1))
        try folder.write("other/root/b.png", picture(2))
        let followed = try Followed(folder, "/above/root")
        followed.pass(1)
        #expect(followed.pass(600).isEmpty)
        try move("above", "away")
        try move("other", "above")
        #expect(reports(followed.pass(61)).map { $0.added.map(\.originalFilename) } == [["b.png"]])
        #expect(followed.names == ["a.png", "b.png"] && followed.kernel.watched == [followed.at("")])
    }

    @Test("a link to a folder, made while the folder is watched, adds nothing twice and silences no folder")
    func links() throws {
        try folder.write("a.png", picture(1))
        try folder.write("sub/b.png", picture(2))
        let followed = try Followed(folder)
        followed.pass(1)
        let watched = followed.kernel.watched
        try folder.link("sub/up", to: "..")
        followed.tell(.growing(followed.at("sub/up")))
        #expect(reports(followed.pass(6)).allSatisfy { $0.added.isEmpty && $0.moved.isEmpty && $0.removed.isEmpty })
        #expect(followed.names == ["a.png", "b.png"] && followed.kernel.watched == watched)
        // A new folder with such a link in it, complete or not.
        try folder.write("new/c.png", picture(3))
        try folder.link("new/up", to: "..")
        try folder.write("moved/d.png", picture(4))
        try folder.link("moved/up", to: "..")
        followed.tell(
            .folder(followed.at("new"), isComplete: false), .folder(followed.at("moved"), isComplete: true))
        #expect(reports(followed.pass(12)).reduce(0) { $0 + $1.added.count } == 2)
        #expect(followed.names.sorted() == ["a.png", "b.png", "c.png", "d.png"])
        #expect(followed.kernel.watched == watched.union([followed.at("new"), followed.at("moved")]))
    }

    @Test("a link by which a folder was found is removed: the folder is watched under another path, or no longer")
    func removedLinks() throws {
        try folder.write("root/zz/a.png", picture(1))
        try folder.write("away/b.png", picture(2))
        try folder.link("root/link", to: "zz")
        try folder.link("root/outside", to: "../away")
        let followed = try Followed(folder, "/root")
        followed.pass(1)
        #expect(followed.kernel.watched == Set(["", "link", "outside"].map(followed.at)))
        for name in ["link", "outside"] {
            try FileManager.default.removeItem(atPath: followed.at(name).text)
            followed.tell(.removed(followed.at(name), wasFolder: false))
        }
        let last = reports(followed.pass(6))
        #expect(last.flatMap { $0.moved.map(\.originalFilename) } == ["a.png"])
        #expect(last.flatMap { $0.removed.map(\.originalFilename) } == ["b.png"] && followed.names == ["a.png"])
        #expect(followed.kernel.watched == [followed.at(""), followed.at("zz")])
    }

    @Test("an import that the library refuses is reported and made up for")
    func refused() throws {
        let followed = try Followed(folder)
        followed.pass(1)
        followed.library.setUnavailable(because: CocoaError(.fileNoSuchFile))
        try folder.write("a.png", picture(1))
        followed.tell(.written(followed.at("a.png")))
        guard case .failed(.refused) = followed.pass(1).first else { return #expect(Bool(false)) }
        followed.library.setUnavailable(because: nil)
        #expect(reports(followed.pass(60)).map(\.added.count) == [1])
    }

    @Test("a path that is no folder is a typed error")
    func errors() throws {
        try folder.write("a.png", picture(1))
        let library = PhotoLibrary()
        #expect(throws: ImportError.notFound(path: folder.path + "/none")) { try library.follow(folder.path + "/none") }
        #expect(throws: ImportError.notAFolder(path: folder.path + "/a.png")) {
            try library.follow(folder.path + "/a.png")
        }
    }

    /// The names that a library has, told of its changes.
    private func waitForNames(
        _ library: PhotoLibrary, _ changes: inout LibraryChanges.Iterator, _ wanted: Set<String>
    ) async {
        while Set(library.fetchAssets().map(\.originalFilename)) != wanted, await changes.next() != nil {}
    }

    @Test(
        "with the system's own events: files come, are renamed and go, and the grid's observers see each")
    func system() async throws {
        let library = PhotoLibrary()
        var changes = library.changes.makeAsyncIterator()
        try folder.write("a.png", picture(1))
        var options = FollowOptions()
        options.pace.gatheringTime = .milliseconds(1)
        let following = try library.follow(folder.path, options: options)
        await waitForNames(library, &changes, ["a.png"])
        let asset = try #require(library.fetchAssets().first)
        try folder.write("sub/deep/b.png", picture(2))
        await waitForNames(library, &changes, ["a.png", "b.png"])
        try move("a.png", "sub/c.png")
        await waitForNames(library, &changes, ["b.png", "c.png"])
        #expect(library.fetchAssets().first { $0.originalFilename == "c.png" } == asset)
        try move("sub", "other")
        try folder.write("other/deep/d.png", picture(4))
        await waitForNames(library, &changes, ["b.png", "c.png", "d.png"])
        try FileManager.default.removeItem(atPath: folder.path + "/other/deep")
        await waitForNames(library, &changes, ["c.png"])
        following.cancel()
    }

    @Test("a released handle ends the watching: the follower and its kernel go")
    func released() async throws {
        let library = PhotoLibrary()
        let ended = DispatchSemaphore(value: 0)
        final class Canary: Sendable {
            let ended: DispatchSemaphore
            init(_ ended: DispatchSemaphore) { self.ended = ended }
            deinit { ended.signal() }
        }
        var canary: Canary? = Canary(ended)
        var following: FolderFollowing? = try library.follow(folder.path) { [canary] _ in _ = canary }
        canary = nil
        #expect(following != nil)
        following = nil
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                ended.wait()
                continuation.resume()
            }
        }
    }
}
