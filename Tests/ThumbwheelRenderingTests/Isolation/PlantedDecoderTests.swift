import Foundation
import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelRendering

#if os(Linux)
@Suite(
    "Planted decoders", .enabled(if: DecoderFixture.isBuilt, Comment(rawValue: DecoderFixture.reasonToSkip)), .endsHangs
)
struct PlantedDecoderTests {
    private static let options = RenderOptions(targetSize: PixelSize(width: 32, height: 32))

    private static func render(
        _ fault: String, by isolation: RenderIsolation, limits: RenderLimits = .unhurried,
        cancellation: CancellationToken? = nil
    ) throws(RenderError) -> RenderedImage {
        let file: MemoryByteSource
        do { file = try DecoderFixture.file(triggering: fault) } catch { throw .encodingFailed(reason: "\(error)") }
        return try Renderer(assistants: nil, isolation: isolation).render(
            file, options: options, limits: limits, cancellation: cancellation)
    }

    /// A fault, and the number of the signal that ends its process; nil if the host ends the talk, or the process itself.
    static let faults: [(fault: String, signal: Int32?)] = [
        ("segfault", SIGSEGV), ("overrun", SIGSEGV), ("gigabyte", SIGABRT), ("socket", SIGSYS), ("program", SIGSYS),
        ("fork", SIGSYS), ("exit", nil), ("noise", nil), ("giant", nil), ("short", nil), ("unsealed", nil),
        ("nothing", nil), ("close", nil), ("close, then loop", nil),
    ]

    @Test("each fault fails its own file, and the next file is decoded", arguments: faults)
    func contained(_ fault: String, _ signal: Int32?) throws {
        let isolation = DecoderFixture.planted()
        #expect(throws: RenderError.decoderFailed(signal: signal)) { try Self.render(fault, by: isolation) }
        #expect(isolation.pool.statistics.crashed == 1)
        #expect(try Self.render("none", by: isolation).bitmap.size == Self.options.targetSize)
        #expect(isolation.pool.statistics.crashed == 1)
    }

    @Test("a decoder cannot open a file, and goes on")
    func files() throws {
        let isolation = DecoderFixture.planted()
        #expect(try Self.render("file", by: isolation).decoder == .webp)
    }

    @Test("an endless loop ends at the limit of time", arguments: ["loop", "asker"])
    func loops(_ fault: String) throws {
        let limits = RenderLimits(duration: .milliseconds(50))
        let isolation = DecoderFixture.planted(limits: limits)
        #expect(throws: RenderError.limitExceeded(limit: .duration)) {
            try Self.render(fault, by: isolation, limits: limits)
        }
        #expect(try Self.render("none", by: isolation).isPartial == false)
    }

    @Test("cancelling ends a decoder that never looks at a token, and the worker is free")
    func cancelling() throws {
        let isolation = DecoderFixture.planted()
        let token = CancellationToken()
        // The token is cancelled on another thread when the decoder is about to enter its loop.
        let reading = ReadingSource(try DecoderFixture.file(triggering: "loop")) {
            Thread.detachNewThread { token.cancel() }
        }
        #expect(throws: RenderError.cancelled) {
            try Renderer(assistants: nil, isolation: isolation).render(
                reading, options: Self.options, limits: .unhurried, cancellation: token)
        }
        #expect(isolation.pool.statistics.cancelled == 1)
        #expect(token.handlerCount == 0)
    }

    @Test("processes end with their pool")
    func ends() throws {
        func handle() throws -> DecoderHandle {
            let isolation = DecoderFixture.planted()
            _ = try Self.render("none", by: isolation)
            return try isolation.pool.take().handle
        }
        // The pool and its template are gone; the test alone still holds on to a process.
        #expect(try handle().hasEnded(within: 600_000))
    }

    /// Calls `action` when a decoder process asks for the first byte of the file alone. The host's own reads, of the file's
    /// head, are longer.
    private final class ReadingSource: ByteSource {
        private let base: MemoryByteSource
        private let action: @Sendable () -> Void

        init(_ base: MemoryByteSource, _ action: @escaping @Sendable () -> Void) {
            (self.base, self.action) = (base, action)
        }

        var byteCount: Int { base.byteCount }

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
            let count = base.read(into: buffer, at: offset)
            if offset == 0, buffer.count == 1 { action() }
            return count
        }
    }
}
#endif
