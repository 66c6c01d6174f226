#if os(Linux)
import TestSupport
import Testing

@testable import ThumbwheelRendering

@Suite("A decoder's connection to its host", .endsHangs)
struct HostConnectionTests {
    private let host: MessageSocket
    private let connection: HostConnection

    init() throws {
        let (own, other) = try #require(MessageSocket.pair())
        host = other
        connection = HostConnection(own)
    }

    private func read(at offset: Int) -> DecoderMessage { .read(offset: offset, count: 10, place: 0) }

    private func answer(_ messages: [HostMessage]) {
        for message in messages { host.send(message.bytes) }
    }

    @Test("answers go to the questions in the order in which these are asked, one of them ahead")
    func order() throws {
        answer([.placed(count: 1), .noAssistance, .placed(count: 2)])
        connection.askAhead(read(at: 0))
        #expect(connection.ask(.wantsAssistance)?.message == .noAssistance)
        #expect(connection.ask(read(at: 10))?.message == .placed(count: 2))
        #expect(connection.collectAnswer()?.message == .placed(count: 1))
        #expect(connection.collectAnswer() == nil)
        let questions = try (0..<3).map { _ in try DecoderMessage(#require(host.receive()).bytes[...]) }
        #expect(questions == [read(at: 0), .wantsAssistance, read(at: 10)])
    }

    @Test("the answer to a question that was asked ahead is not taken for the next job's message")
    func collected() {
        answer([.placed(count: 7), .unreadable])
        connection.askAhead(read(at: 0))
        #expect(connection.collectAnswer()?.message == .placed(count: 7))
        #expect(connection.receive()?.message == .unreadable)
    }

    @Test("a host that has gone answers no question")
    func gone() {
        connection.askAhead(read(at: 0))
        host.shutDown()
        #expect(connection.ask(.wantsAssistance) == nil)
        #expect(connection.collectAnswer() == nil)
    }
}
#endif
