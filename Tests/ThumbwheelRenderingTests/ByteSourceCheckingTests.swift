import Testing
import ThumbwheelCore

@testable import ThumbwheelRendering

@Suite("Reading whole files")
struct ByteSourceCheckingTests {
    @Test("reading a whole file can be stopped between pieces")
    func pieces() throws {
        let bytes = [UInt8](repeating: 3, count: 3 << 20 + 5)
        let token = CancellationToken()
        let source = CountingByteSource(bytes, cancelling: token, atRead: 2)
        #expect(throws: RenderError.cancelled) {
            try source.bytes(to: bytes.count, checking: DecodeGuard(cancellation: token, duration: .seconds(3600)))
        }
        #expect(source.readCount == 2)
        let whole = try MemoryByteSource(bytes).bytes(
            to: .max, checking: DecodeGuard(cancellation: nil, duration: .seconds(3600)))
        #expect(whole == bytes)
    }
}
