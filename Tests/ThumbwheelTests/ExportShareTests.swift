import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering

@testable import Thumbwheel

@Suite("Exports that run at once", .takesTurns) struct ExportShareTests {
    private struct Stop: Error {}

    @Test("exports that run at once share the processors, and each has at least one thread")
    func threads() throws {
        var counts: [Int] = []
        func nest(_ depth: Int) {
            guard depth > 0 else { return }
            ExportShare.run(processorCount: 8) { count in
                counts.append(count)
                nest(depth - 1)
            }
        }
        nest(10)
        #expect(counts == [8, 4, 2, 2, 1, 1, 1, 1, 1, 1])
        // One that fails gives its share back.
        #expect(throws: Stop.self) { try ExportShare.run(processorCount: 8) { _ throws(Stop) in throw Stop() } }
        ExportShare.run(processorCount: 8) { #expect($0 == 8) }
    }

    @Test("the predicted memory grows with frames and threads, and copies take little")
    func memory() {
        let large = VideoHead(contentType: .mp4, codedSize: PixelSize(width: 3840, height: 2160))
        let small = VideoHead(contentType: .mp4, codedSize: PixelSize(width: 640, height: 360))
        let encoded = VideoExportSettings.Frames.h264(fitting: PixelSize(width: 640, height: 480), quality: 23)
        let copy = ExportMemory.byteCount(of: large, .unchanged, threadCount: 8)
        let one = ExportMemory.byteCount(of: large, encoded, threadCount: 1)
        let eight = ExportMemory.byteCount(of: large, encoded, threadCount: 8)
        #expect(copy < 32 << 20 && one > 200 << 20 && eight > one)
        #expect(ExportMemory.byteCount(of: small, encoded, threadCount: 1) < one / 4)
        let huge = VideoHead(contentType: .mp4, codedSize: PixelSize(width: 1 << 20, height: 1 << 20))
        #expect(ExportMemory.byteCount(of: huge, encoded, threadCount: 8) > 1 << 40)
    }
}
