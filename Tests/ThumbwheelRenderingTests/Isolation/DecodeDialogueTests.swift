#if os(Linux)
import TestSupport
import Testing
import ThumbwheelCore

@testable import ThumbwheelRendering

@Suite("A host's part in a decode", .endsHangs)
struct DecodeDialogueTests {
    /// Plays a decoder that sends `messages` and closes the connection.
    private func end(_ messages: [DecoderMessage], of source: any ByteSource) throws -> DecodeDialogue.End {
        let (own, other) = try #require(MessageSocket.pair())
        for message in messages { other.send(message.bytes) }
        other.shutDownSending()
        var dialogue = DecodeDialogue(
            own, window: nil, source: source, assistants: nil, limits: RenderLimits(), expectedCount: 1)
        return withExtendedLifetime(other) { dialogue.run() }
    }

    @Test("a failed read of an open file names the file and the system's error")
    func path() throws {
        let file = try FileByteSource(path: "/proc/self/status")
        let part = SubrangeByteSource(file, range: 0..<0)
        for source in [file, part] as [any ByteSource] {
            let error = RenderError.source(.unreadable(path: "", code: 5))
            guard case .failed(let known) = try end([.failed(error)], of: source) else {
                Issue.record("the decode has not failed")
                return
            }
            #expect(known == .source(.unreadable(path: "/proc/self/status", code: 5)))
        }
    }
}
#endif
