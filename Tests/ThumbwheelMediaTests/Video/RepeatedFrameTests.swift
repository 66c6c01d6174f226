import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

/// Strips in which one frame is shown at several times.
@Suite("Repeated frames", .takesTurns, .endsHangs)
struct RepeatedFrameTests {
    private static func options(at time: Double, width: Int) -> RenderOptions {
        var options = RenderOptions(targetSize: PixelSize(width: width, height: width), contentMode: .aspectFit)
        options.frameTime = time
        return options
    }

    private static func isEqual(_ one: Bitmap, _ other: Bitmap) -> Bool {
        one.size == other.size && one.withUnsafeBytes { one in other.withUnsafeBytes { one.elementsEqual($0) } }
    }

    @Test("an image of a frame is made once, for all times at which the frame is shown, and its pixels are not shared")
    func copies() async {
        await #expect(processExitsWith: .success) { try Self.renderCopies() }
    }

    private static func renderCopies() throws {
        nonisolated(unsafe) let decoder = ShadeDecoder()
        VideoDecoders.install(version: "shades") { _ in decoder }
        let source = MemoryByteSource(MovieFile().encoded())
        let head = try PhotographFacts(readingVideo: source).head
        // The key frames at two and four seconds are shown at two times each, but the second is of two sizes.
        let wanted = [(4.6, 24), (2, 16), (4, 24), (2.9, 16), (2.9, 32)].map { options(at: $0, width: $1) }
        let images = try Renderer().render(source, head: head, options: wanted).map { try $0.get().bitmap }
        #expect(images.map(\.size.width) == [24, 16, 24, 16, 32])
        #expect(decoder.log == ["read 2", "decode 2", "read 2", "read 4", "decode 4", "read 4"])
        #expect(isEqual(images[0], images[2]) && isEqual(images[1], images[3]))
        // A cache holds an image for as long as somebody else refers to its pixels.
        #expect(images[0] !== images[2] && images[1] !== images[3])
        #expect(decoder.shades(of: images) == [3, 1, 3, 1, 2])
    }

    @Test("a frame that was not decoded is tried again at the next time, and a cover is no image of a frame")
    func failures() async {
        await #expect(processExitsWith: .success) { try Self.renderFailures() }
    }

    private static func renderFailures() throws {
        nonisolated(unsafe) let decoder = ShadeDecoder(failureCount: 1)
        VideoDecoders.install(version: "shades") { _ in decoder }
        let source = MemoryByteSource(MovieFile().encoded())
        let head = try PhotographFacts(readingVideo: source).head
        let wanted = [2.0, 2.5, 2.9].map { options(at: $0, width: 16) }
        let results = try Renderer().render(source, head: head, options: wanted)
        #expect(throws: RenderError.malformed(reason: "a shade")) { try results[0].get() }
        #expect(isEqual(try results[1].get().bitmap, try results[2].get().bitmap))
        #expect(decoder.log == ["read 2", "decode 2", "read 2", "decode 2", "read 2"])
    }
}

/// A decoder of a video with a key frame every two seconds. All frames are of one shade of grey, which changes with each
/// read, so that an image tells how many reads came before it was made.
private final class ShadeDecoder: VideoDecoder {
    private static let size = PixelSize(width: 64, height: 36)
    private static let step = 20

    private(set) var log: [String] = []
    private let samples = UnsafeMutableRawPointer.allocate(byteCount: size.pixelCount, alignment: 16)
    private var readCount = 0
    private var seconds = 0
    private var failureCount: Int

    init(failureCount: Int = 0) { self.failureCount = failureCount }

    deinit { samples.deallocate() }

    func readKeyFrame(nearestTo seconds: Double) -> KeyFrame {
        self.seconds = Int((seconds / 2 - 0.01).rounded()) * 2
        log.append("read \(self.seconds)")
        readCount += 1
        samples.initializeMemory(
            as: UInt8.self, repeating: UInt8(readCount * Self.step), count: Self.size.pixelCount)
        return KeyFrame(timestamp: Int64(self.seconds), seconds: Double(self.seconds), byteCount: 1)
    }

    func decode(isFiltered: Bool) throws(RenderError) -> VideoFrame {
        log.append("decode \(seconds)")
        failureCount -= 1
        guard failureCount < 0 else { throw .malformed(reason: "a shade") }
        let plane = DecodedPicture.Plane(samples: samples, bytesPerRow: Self.size.width, size: Self.size)
        let picture = DecodedPicture(
            planes: [plane], bitsPerSample: 8, matrix: 1, primaries: 1, transfer: 13, isFullRange: true,
            subsampling: PixelSize(width: 1, height: 1))
        return VideoFrame(picture, primaries: 1, transfer: 13, fieldOrder: nil)
    }

    /// The numbers of reads that came before the images were made.
    func shades(of images: [Bitmap]) -> [Int] {
        images.map { image in image.withUnsafeBytes { Int(Double($0[0]) / Double(Self.step) + 0.5) } }
    }

    func keyFrameSeconds(continuingTo seconds: Double) -> Double? { nil }

    func hasFrame(for search: FrameSearch) -> Bool { false }

    func readFrames(for search: FrameSearch) {}

    func decodeFrame(for search: FrameSearch) -> VideoFrame? { nil }
}
