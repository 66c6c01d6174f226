import Foundation
import Testing

@testable import ThumbwheelAssets

/// A file system in memory, on most Linux systems.
private let otherPlace = "/dev/shm"

private let hasOtherFileSystem: Bool = {
    let places = [otherPlace, FileManager.default.temporaryDirectory.path]
    let devices = places.map { try? FileStatus(path: $0).identity.device }
    return devices[0] != nil && devices[0] != devices[1]
}()

@Suite("Moves of files from one file system to another", .enabled(if: hasOtherFileSystem))
struct FileMovesTests {
    private let folder: TemporaryFolder
    private let other = otherPlace + "/" + UUID().uuidString
    private let files = FileManager.default

    init() throws {
        folder = try TemporaryFolder()
        try files.createDirectory(atPath: other, withIntermediateDirectories: true)
    }

    private func names(_ path: String) throws -> [String] { try files.contentsOfDirectory(atPath: path).sorted() }

    private func source(_ bytes: [UInt8] = [1, 2, 3]) throws -> String {
        let path = other + "/a.png"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        // A program that another test has just started has the file open for writing until it has replaced the process of the
        // tests, and such a file does not move.
        while FileStatus.isOpenForWriting(path) { sched_yield() }
        return path
    }

    @Test("the copy has the bytes, the date and the permissions; the original goes with the commit")
    func moved() throws {
        defer { try? files.removeItem(atPath: other) }
        let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
        let path = try source(bytes)
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        try files.setAttributes([.posixPermissions: 0o640, .modificationDate: date], ofItemAtPath: path)
        try folder.write("a.png", [9])
        let moves = FileMoves()
        let target = try moves.move(path, into: folder.path)
        #expect(target == folder.path + "/a 2.png" && files.fileExists(atPath: path))
        #expect(files.contents(atPath: target) == Data(bytes))
        let attributes = try files.attributesOfItem(atPath: target)
        #expect(attributes[.posixPermissions] as? Int == 0o640 && attributes[.modificationDate] as? Date == date)
        moves.finish()
        moves.takeBack()
        #expect(try names(other).isEmpty && names(folder.path) == ["a 2.png", "a.png"])
    }

    @Test("a transaction that is not committed leaves no copy, nor does one that fails while it copies")
    func takenBack() throws {
        defer { try? files.removeItem(atPath: other) }
        let moves = FileMoves()
        _ = try moves.move(try source(), into: folder.path)
        #expect(try names(folder.path) == ["a.png"])
        moves.takeBack()
        #expect(try names(folder.path).isEmpty && names(other) == ["a.png"])
        // A file that nobody can read, not even the superuser; others may not write its folder and are refused before.
        #expect(throws: FileStatus.Failure.self) { try moves.move("/sys/bus/cpu/uevent", into: folder.path) }
        moves.takeBack()
        #expect(try names(folder.path).isEmpty)
    }

    @Test("a file that has taken the original's place stays")
    func replaced() throws {
        defer { try? files.removeItem(atPath: other) }
        let path = try source()
        let moves = FileMoves()
        _ = try moves.move(path, into: folder.path)
        try files.moveItem(atPath: path, toPath: other + "/elsewhere")
        _ = try source([7])
        moves.finish()
        #expect(try names(other) == ["a.png", "elsewhere"])
    }
}
