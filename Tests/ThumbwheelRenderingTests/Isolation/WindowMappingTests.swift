import CIsolation
import Foundation
import Testing

@testable import ThumbwheelRendering

#if os(Linux)
@Suite("The view of a window")
struct WindowMappingTests {
    @Test("bytes that the host places are seen, also later ones")
    func copies() throws {
        let window = try #require(SharedWindow())
        let mapping = try #require(WindowMapping(PassedDescriptor(dup(window.descriptor))))
        for (place, byte) in [(0, 7), (5000, 8), (MessageFormat.windowByteCount - 3, 9), (0, 10)] as [(Int, UInt8)] {
            let room = try #require(window.room(at: place, count: 3))
            for index in 0..<3 { room[index] = byte + UInt8(index) }
            var bytes: [UInt8] = [0, 0, 0]
            bytes.withUnsafeMutableBytes { mapping.copyBytes(at: place, into: $0) }
            #expect(bytes == [byte, byte + 1, byte + 2])
        }
    }

    @Test("memory that is too small, or that could shrink, is not mapped")
    func refused() throws {
        func memory(byteCount: Int, isSealed: Bool) throws -> PassedDescriptor {
            let number = tw_memfd()
            try #require(number >= 0 && ftruncate(number, byteCount) == 0)
            if isSealed { try #require(tw_seal_size(number) == 0) }
            return PassedDescriptor(number)
        }
        let whole = MessageFormat.windowByteCount
        #expect(WindowMapping(try memory(byteCount: whole, isSealed: true)) != nil)
        #expect(WindowMapping(try memory(byteCount: whole, isSealed: false)) == nil)
        #expect(WindowMapping(try memory(byteCount: whole - 1, isSealed: true)) == nil)
        #expect(WindowMapping(PassedDescriptor(open("/dev/zero", O_RDONLY | O_CLOEXEC))) == nil)
    }
}
#endif
