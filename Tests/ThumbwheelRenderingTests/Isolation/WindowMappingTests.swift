import CIsolation
import Foundation
import Testing
import ThumbwheelCore

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

    @Test("a process that cannot map its window ends without doing the job", arguments: [true, false])
    func unmapped(_ isWindow: Bool) throws {
        let (host, decoder) = try #require(MessageSocket.pair())
        let number = tw_memfd()
        let memory = PassedDescriptor(number)
        try #require(number >= 0 && ftruncate(number, MessageFormat.windowByteCount) == 0)
        if isWindow { try #require(tw_seal_size(number) == 0) }
        let job = DecodeJob(
            contents: .requested(byteCount: 100, front: [], readsAhead: true),
            work: .reading(RenderOptions(targetSize: .maximum), readsAlternatives: false))
        #expect(host.send(HostMessage.job(job).bytes, with: memory.rawValue))
        host.shutDownSending()
        var jobCount = 0
        let isSound = DecoderProcess(decoder) { _, _, _ in
            jobCount += 1
            return []
        }.work()
        #expect(isSound == isWindow)
        #expect(jobCount == (isWindow ? 1 : 0))
    }
}
#endif
