import Foundation
import TestSupport
import Testing

@testable import Thumbwheel

@Suite("Unfinished files") struct UnfinishedFileTests {
    @Test("a long file is on its way to the disk before it is finished, and is whole in the end")
    func flushing() throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/long"
        let file = try UnfinishedFile(path: path)
        let piece = [UInt8](repeating: 7, count: 5 << 20)
        var begun: [Int] = []
        for index in 0..<9 {
            try file.write(piece, at: index * piece.count)
            begun.append(file.flushedByteCount >> 20)
        }
        #expect(begun == [0, 0, 0, 20, 20, 20, 20, 40, 40])
        // A header is written last.
        try file.write([1, 2], at: 0)
        #expect(file.flushedByteCount == 40 << 20)
        #expect(!FileManager.default.fileExists(atPath: path))
        try file.finish()
        let written = try #require(FileManager.default.contents(atPath: path))
        #expect(written.count == 45 << 20 && written.prefix(3) == Data([1, 2, 7]))
        #expect(written.dropFirst(2) == Data(repeating: 7, count: written.count - 2))
    }
}
