import TestSupport
import Testing
import ThumbwheelCore

@testable import ThumbwheelRendering

#if os(Linux)
/// Each test keeps the handle of a process, which is killed when its last handle is released. So the pool must have ended
/// the process itself.
@Suite(
    "Ends of decoder processes",
    .enabled(if: DecoderFixture.isBuilt, Comment(rawValue: DecoderFixture.reasonToSkip)), .endsHangs)
struct DecoderEndTests {
    @Test("a job whose result has come before the thread that cancels has killed the process ends the process itself")
    func interruptedKill() throws {
        let pool = DecoderFixture.planted().pool
        let loan = try pool.take()
        #expect(throws: RenderError.cancelled) { try pool.results(of: .images([]), .cancelled, loan) }
        #expect(loan.handle.hasEnded(within: 600_000))
        #expect(pool.statistics.cancelled == 1)
    }

    @Test("a process that goes on after the end of its connection is ended, and its signal is not called a crash's")
    func goesOn() throws {
        let pool = DecoderFixture.planted().pool
        let loan = try pool.take()
        #expect(throws: RenderError.decoderFailed(signal: nil)) { try pool.results(of: .ended, nil, loan) }
        #expect(loan.handle.hasEnded(within: 600_000))
        #expect(pool.statistics.crashed == 1)
    }
}
#endif
