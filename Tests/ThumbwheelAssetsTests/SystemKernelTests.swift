#if os(Linux)
import Foundation
import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelAssets

/// How many events the system keeps for one reader.
private let queueLength = (try? String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8))
    .flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }

/// Whether other programs of the same user have all the event queues that the system allows, so that a test gets none.
private var lacksQueues: Bool {
    do throws(FileStatus.Failure) {
        _ = try InotifyKernel()
        return false
    } catch {
        return error.code == EMFILE
    }
}

/// The system's events, for which a test does not wait without end.
private final class BoundedKernel: FolderKernel {
    private let kernel: InotifyKernel
    private let longestWait = Duration.seconds(600)
    let silentCount = Mutex(0)

    init() throws {
        kernel = try InotifyKernel()
    }

    var now: Duration { kernel.now }

    func watch(_ folder: FilePath) throws(FileStatus.Failure) { try kernel.watch(folder) }

    func unwatch(_ folder: FilePath) { kernel.unwatch(folder) }

    func events(until deadline: Duration?) -> [FolderEvent] {
        let limit = now + longestWait
        let isShort = (deadline ?? limit) < limit
        let events = kernel.events(until: min(deadline ?? limit, limit))
        // A short wait says nothing, however late a busy machine goes on after it.
        if events.isEmpty, !isShort, now >= limit { silentCount.withLock { $0 += 1 } }
        return events
    }

    func wake() { kernel.wake() }
}

/// Each step of the follower is the test's, so that events come in an order that the test knows.
@Suite(
    "Watched folders with the system's own events",
    .disabled(if: lacksQueues, "other programs have all of the user's event queues"), .endsHangs)
struct SystemKernelTests {
    private let folder: TemporaryFolder
    private let library = PhotoLibrary()
    private let kernel: BoundedKernel

    init() throws {
        folder = try TemporaryFolder()
        kernel = try BoundedKernel()
    }

    /// What the host is told.
    private final class Told: Sendable {
        let events = Mutex<[FollowEvent]>([])

        /// The imports since the last call.
        func takeReports() -> [ImportReport] {
            events.withLock { events in
                defer { events = [] }
                return events.compactMap { if case .imported(let report) = $0 { report } else { nil } }
            }
        }
    }

    /// A follower after its first import, whose steps wait for events and no longer than files gather.
    private func follower(quietTime: Duration = .seconds(3600)) throws -> (FolderFollower, FolderFollower.Run, Told) {
        let told = Told()
        var options = FollowOptions()
        options.pace.gatheringTime = .milliseconds(1)
        options.pace.quietTime = quietTime
        let follower = try library.follower(of: folder.path, options, kernel) { event in
            told.events.withLock { $0.append(event) }
        }
        var run = follower.begin()
        follower.step(&run)
        #expect(told.takeReports().count == 1)
        return (follower, run, told)
    }

    /// Steps until files have been imported.
    private func step(
        _ follower: FolderFollower, _ run: inout FolderFollower.Run, _ told: Told
    ) throws -> [ImportReport] {
        while true {
            follower.step(&run)
            let reports = told.takeReports()
            if !reports.isEmpty { return reports }
            try #require(kernel.silentCount.withLock { $0 } == 0, "nothing happens any more")
        }
    }

    @Test(
        "more events than the system keeps are answered by a scan, which misses no file",
        .enabled(if: (1...200_000).contains(queueLength ?? 0), "no queue of a length that a test can fill"))
    func overflow() throws {
        let limit = try #require(queueLength)
        try folder.writeQuickly("first.png", TinyImages.png(200, 200))
        // A file whose closing was lost counts as complete when it has been quiet.
        var (follower, run, told) = try follower(quietTime: .milliseconds(100))
        // Each file is made, written and closed: three events.
        let count = limit / 3 + 500
        for number in 0..<count {
            try folder.writeQuickly("\(number).png", TinyImages.png(UInt8(number % 200 + 1), UInt8(number / 200 + 1)))
        }
        try FileManager.default.removeItem(atPath: folder.path + "/first.png")
        var isLost = false
        var added = 0
        while added < count {
            follower.step(&run)
            isLost =
                told.events.withLock { events in
                    events.contains { if case .eventsLost = $0 { true } else { false } }
                } || isLost
            added += told.takeReports().reduce(0) { $0 + $1.added.count }
            try #require(kernel.silentCount.withLock { $0 } == 0, "nothing happens any more, after \(added) files")
        }
        #expect(isLost && added == count)
        #expect(library.countOfAssets() == count && library.snapshot.brokenInvariants.isEmpty)
        #expect(!library.fetchAssets().contains { $0.originalFilename == "first.png" })
        // The folder is still watched.
        try folder.writeQuickly("last.png", TinyImages.png(201, 201))
        #expect(try step(follower, &run, told).flatMap { $0.added.map(\.originalFilename) } == ["last.png"])
    }

    @Test("a file is imported once its writer closes it, and not while half of it is there")
    func halfWritten() throws {
        var (follower, run, told) = try follower()
        let bytes = TinyImages.png(4, 3)
        let writer = try #require(fopen(folder.path + "/half.png", "w"))
        #expect(fwrite(bytes, 1, 20, writer) == 20 && fflush(writer) == 0)
        try folder.writeQuickly("whole.png", TinyImages.png(5, 3))
        var reports = try step(follower, &run, told)
        #expect(reports.flatMap { $0.added.map(\.originalFilename) } == ["whole.png"])
        #expect(reports.allSatisfy { $0.skipped.isEmpty })
        // More of it comes, and another file; the rest is still missing.
        #expect(fwrite([UInt8](bytes[20..<30]), 1, 10, writer) == 10 && fflush(writer) == 0)
        try folder.writeQuickly("other.png", TinyImages.png(6, 3))
        reports = try step(follower, &run, told)
        #expect(reports.flatMap { $0.added.map(\.originalFilename) } == ["other.png"])
        #expect(fwrite([UInt8](bytes[30...]), 1, bytes.count - 30, writer) == bytes.count - 30)
        fclose(writer)
        reports = try step(follower, &run, told)
        #expect(reports.flatMap { $0.added.map(\.originalFilename) } == ["half.png"])
        #expect(reports.allSatisfy { $0.skipped.isEmpty } && library.countOfAssets() == 3)
    }

    @Test("a file whose writer never closes it is imported when it has been quiet")
    func neverClosed() throws {
        var (follower, run, told) = try follower(quietTime: .milliseconds(20))
        let bytes = TinyImages.png(4, 3)
        let writer = try #require(fopen(folder.path + "/open.png", "w"))
        defer { fclose(writer) }
        #expect(fwrite(bytes, 1, bytes.count, writer) == bytes.count && fflush(writer) == 0)
        let reports = try step(follower, &run, told)
        #expect(reports.flatMap { $0.added.map(\.originalFilename) } == ["open.png"])
    }

    @Test("a file that a program writes aside and renames is imported under its name, and once")
    func renamedIntoPlace() throws {
        var (follower, run, told) = try follower()
        try folder.writeQuickly(".a.png.part", TinyImages.png(4, 3))
        #expect(rename(folder.path + "/.a.png.part", folder.path + "/a.png") == 0)
        #expect(try step(follower, &run, told).flatMap { $0.added.map(\.originalFilename) } == ["a.png"])
        // The same for a file that is replaced.
        try folder.writeQuickly(".a.png.part", TinyImages.png(7, 3) + [0])
        #expect(rename(folder.path + "/.a.png.part", folder.path + "/a.png") == 0)
        #expect(try step(follower, &run, told).map(\.changed.count) == [1])
        #expect(library.fetchAssets().map(\.pixelWidth) == [7])
    }
}
#endif
