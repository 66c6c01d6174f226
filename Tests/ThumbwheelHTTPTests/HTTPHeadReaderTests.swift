import Testing

@testable import ThumbwheelHTTP

@Suite struct HTTPHeadReaderTests {
    /// The heads that lines lead to.
    private func heads(_ lines: [String]) -> [HTTPHeadReader.Head] {
        var reader = HTTPHeadReader()
        return lines.compactMap {
            if case .complete(let head) = reader.receive(Array("\($0)\r\n".utf8)) { head } else { nil }
        }
    }

    private func answer(_ fields: String...) throws -> HTTPAnswerHead {
        let head = try #require(heads(["HTTP/1.1 206 x"] + fields + [""]).first)
        return HTTPAnswerHead(status: head.status, fields: head.fields)
    }

    @Test("a head has a status, and fields whose names know no case and whose values no white space around them")
    func plain() throws {
        let lines = ["HTTP/1.1 206 Partial Content", "ETag:\t\"1\" ", "content-length: 9", "Server: x", ""]
        let head = try #require(heads(lines).first)
        #expect(head.status == 206)
        #expect(head.fields == ["etag": "\"1\"", "content-length": "9"])
        #expect(heads(["HTTP/2 304", ""]).map(\.status) == [304])
        #expect(heads(["HTTP/1.1", ""]).map(\.status) == [0])
    }

    @Test("interim heads are left out, and lines behind a head are no head's")
    func interim() {
        let lines = ["HTTP/1.1 103 Early Hints", "ETag: \"0\"", "", "HTTP/1.1 200 OK", "", "ETag: \"late\"", ""]
        let heads = heads(lines)
        #expect(heads.map(\.status) == [200])
        #expect(heads.map(\.fields) == [[:]])
    }

    @Test("a field that comes twice has both values, so that no half of a contradiction is believed")
    func twice() throws {
        #expect(try answer("Content-Range: bytes 0-1/9", "Content-Range: bytes 2-3/9").contentRange == nil)
        #expect(try answer("Content-Length: 100", "Content-Length: 50").hasContradictoryLengths)
        #expect(try answer("Content-Length: 50, 100").hasContradictoryLengths)
        let same = try answer("Content-Length: 50", "Content-Length: 50")
        #expect(same.contentLength == 50 && !same.hasContradictoryLengths)
    }

    @Test("a line that continues another field is no field")
    func folded() {
        #expect(heads(["HTTP/1.1 302 x", "Server: x", " Location: /a", ""]).map(\.isRedirection) == [false])
    }

    @Test("a validator that would end a field when it goes back is none")
    func controlCharacter() throws {
        #expect(try answer("ETag: \"a\rb\"").validator == nil)
    }

    @Test("a head beyond 64 KiB is given up, whatever its lines say")
    func tooLong() {
        var reader = HTTPHeadReader()
        _ = reader.receive(Array("HTTP/1.1 200 OK\r\n".utf8))
        var count = 0
        while case .more = reader.receive(Array("etag: \(count)\r\n".utf8)) { count += 1 }
        #expect((4000...8000).contains(count))
    }

    @Test("only an answer with an address redirects")
    func redirection() {
        let lines = ["HTTP/1.1 308 x", "Location: /a", "", "HTTP/1.1 302 x", ""]
        #expect(heads(lines).map(\.isRedirection) == [true, false])
        #expect(heads(["HTTP/1.1 304 x", "Location: /a", ""]).map(\.isRedirection) == [false])
    }
}
