import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("The first picture of a GIF")
struct GIFFirstPictureTests {
    private static let descriptor: [UInt8] = [0x2C, 3, 0, 4, 0, 16, 1, 2, 0, 0, 8]
    private static let screen = [UInt8]("GIF89a".utf8) + [200, 0, 100, 0, 0, 0, 0]

    @Test("the picture's place is found after comments, and its end after its codes")
    func place() throws {
        let comment: [UInt8] = [0x21, 0xFE, 2, 65, 66, 0]
        let picture = Self.screen + comment + Self.descriptor + [3, 1, 2, 3, 0]
        let source = MemoryByteSource(picture + comment + Self.descriptor + [1, 1, 0])
        let guardian = DecodeGuard(cancellation: nil, duration: .seconds(60))
        let first = try #require(try GIFFirstPicture(in: source, checking: guardian))
        #expect(first.columns == 3..<275 && first.rows == 4..<6)
        #expect(try first.file(in: source, checking: guardian)?.bytes() == picture + [0x3B])
        for cut in 0..<picture.count {
            let source = MemoryByteSource(Array(picture[..<cut]))
            #expect(try GIFFirstPicture(in: source, checking: guardian)?.file(in: source, checking: guardian) == nil)
        }
    }

    @Test("a walk over codes as long as the file stops at the next read")
    func endless() throws {
        let codes = [[UInt8]](repeating: [1, 0x44], count: 1 << 19).flatMap { $0 }
        let bytes = Self.screen + Self.descriptor + codes
        for read in [3, 30] {
            let token = CancellationToken()
            let source = CountingByteSource(bytes, cancelling: token, atRead: read)
            let guardian = DecodeGuard(cancellation: token, duration: .seconds(60))
            #expect(throws: RenderError.cancelled) {
                try GIFFirstPicture(in: source, checking: guardian)?.file(in: source, checking: guardian)
            }
            #expect(source.readCountAfterCancelling == 0)
        }
    }

    @Test("reading a whole file can be stopped between pieces")
    func pieces() throws {
        let bytes = [UInt8](repeating: 3, count: 3 << 20 + 5)
        let token = CancellationToken()
        let source = CountingByteSource(bytes, cancelling: token, atRead: 2)
        #expect(throws: RenderError.cancelled) {
            try source.bytes(to: bytes.count, checking: DecodeGuard(cancellation: token, duration: .seconds(60)))
        }
        #expect(source.readCount == 2)
        let whole = try MemoryByteSource(bytes).bytes(
            to: .max, checking: DecodeGuard(cancellation: nil, duration: .seconds(60)))
        #expect(whole == bytes)
    }
}
