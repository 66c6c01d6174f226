import Foundation
import TestSupport
import Testing
import ThumbwheelCore

@Suite struct ByteSourceTests {
    private static let contents = (0..<100).map { UInt8($0) }

    /// Each kind of source over the same hundred bytes.
    private static func sources(in folder: ScratchFolder) throws -> [any ByteSource] {
        let file = try FileByteSource(path: folder.write("bytes", contents))
        let padded = MemoryByteSource([200, 201] + contents + [202])
        return [
            MemoryByteSource(contents), file, SubrangeByteSource(padded, range: 2..<102),
            SubrangeByteSource(SubrangeByteSource(padded, range: 1..<103), range: 1..<101),
        ]
    }

    @Test(
        "a range is cut off where the source ends",
        arguments: [
            (0..<0, 0..<0), (0..<100, 0..<100), (3..<7, 3..<7), (99..<100, 99..<100), (90..<200, 90..<100),
            (100..<101, 0..<0), (5000..<6000, 0..<0), (-5..<5, 0..<5), (-9 ..< -3, 0..<0), (0..<Int.max, 0..<100),
        ])
    func ranges(wanted: Range<Int>, expected: Range<Int>) throws {
        let folder = try ScratchFolder()
        for source in try Self.sources(in: folder) {
            #expect(source.byteCount == 100)
            #expect(try source.bytes(in: wanted) == Array(Self.contents[expected]))
        }
    }

    @Test(
        "a read at, past and before the bytes that there are gives none", arguments: [100, 101, Int.max, -1, Int.min])
    func readsOutside(offset: Int) throws {
        let folder = try ScratchFolder()
        for source in try Self.sources(in: folder) {
            var buffer = [UInt8](repeating: 77, count: 4)
            let count = try buffer.withUnsafeMutableBytes { try source.read(into: $0, at: offset) }
            #expect(count == 0)
            #expect(buffer == [77, 77, 77, 77])
        }
    }

    @Test("a read writes no further than what it returns, and an empty buffer takes nothing")
    func partialReads() throws {
        let folder = try ScratchFolder()
        for source in try Self.sources(in: folder) {
            var buffer = [UInt8](repeating: 77, count: 8)
            let count = try buffer.withUnsafeMutableBytes { try source.read(into: $0, at: 97) }
            #expect(count == 3)
            #expect(buffer == [97, 98, 99, 77, 77, 77, 77, 77])
            #expect(try source.read(into: UnsafeMutableRawBufferPointer(start: nil, count: 0), at: 5) == 0)
        }
    }

    @Test("a part of a source is cut off where its base ends, and a part of a part where the part ends")
    func subranges() throws {
        let base = MemoryByteSource(Self.contents)
        let part = SubrangeByteSource(base, range: 90..<120)
        #expect(part.range == 90..<100)
        #expect(try part.bytes() == Array(90..<100))
        let inner = SubrangeByteSource(part, range: 4..<6)
        #expect(try inner.bytes() == [94, 95])
        #expect(try inner.bytes(in: 1..<50) == [95])
        #expect(SubrangeByteSource(part, range: 20..<30).byteCount == 0)
        #expect(try SubrangeByteSource(inner, range: 0..<1000).bytes() == [94, 95])
    }
}

@Suite struct FileByteSourceTests {
    @Test("a path to nothing, through a file or to a folder says so")
    func unusablePaths() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("file", [1, 2, 3])
        #expect(throws: ByteSourceError.notFound(path: folder.path + "/none")) {
            try FileByteSource(path: folder.path + "/none")
        }
        #expect(throws: ByteSourceError.notFound(path: file + "/inside")) { try FileByteSource(path: file + "/inside") }
        #expect(throws: ByteSourceError.notAFile(path: folder.path)) { try FileByteSource(path: folder.path) }
        #expect(throws: ByteSourceError.notAFile(path: "/dev/null")) { try FileByteSource(path: "/dev/null") }
    }

    @Test("a path that ends nowhere but in itself is unreadable")
    func loop() throws {
        let folder = try ScratchFolder()
        let link = folder.path + "/loop"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: link)
        #expect(throws: ByteSourceError.unreadable(path: link, code: ELOOP)) { try FileByteSource(path: link) }
    }

    @Test("an empty file has no bytes")
    func empty() throws {
        let folder = try ScratchFolder()
        let source = try FileByteSource(path: folder.write("empty", []))
        #expect(source.byteCount == 0)
        #expect(try source.bytes() == [])
        #expect(try source.bytes(in: 0..<10) == [])
    }

    @Test("a file that is cut short meanwhile reads as one that ends early")
    func cutShort() throws {
        // Given
        let folder = try ScratchFolder()
        let path = try folder.write("file", [UInt8](repeating: 9, count: 10_000))
        let source = try FileByteSource(path: path)
        // When
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: 4000)
        // Then
        #expect(source.byteCount == 10_000)
        #expect(try source.bytes() == [UInt8](repeating: 9, count: 4000))
        #expect(try source.bytes(in: 3999..<5000) == [9])
        #expect(try source.bytes(in: 4000..<5000) == [])
    }

    @Test("bytes that a file gains, and its disappearance, change nothing for whoever has it open")
    func grownAndDeleted() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("file", [1, 2, 3])
        let source = try FileByteSource(path: path)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([4, 5, 6]))
        try FileManager.default.removeItem(atPath: path)
        #expect(try source.bytes() == [1, 2, 3])
        #expect(try source.bytes(in: 2..<6) == [3])
    }
}
