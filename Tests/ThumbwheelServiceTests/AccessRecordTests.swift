import Testing

@testable import ThumbwheelServer

@Suite("Records of requests")
struct AccessRecordTests {
    @Test(
        "secrets are left out, however their names are written",
        arguments: [
            ("/?token=secret", "/?token=…"), ("/?%74oken=secret", "/?%74oken=…"),
            ("/?a=1&to%6ben=secret", "/?a=1&to%6ben=…"),
            ("?token=secret", "?token=…"), ("/a?tenant=ann&signature=secret", "/a?tenant=ann&signature=…"),
            ("/a?signature", "/a?signature=…"), ("/a/b?mode=fit", "/a/b?mode=fit"), ("/?%zz=1", "/?%zz=1"), ("/", "/"),
        ])
    func secrets(_ target: String, _ expected: String) { #expect(AccessRecord.loggable(target) == expected) }

    @Test("a target that is longer than any address is cut off")
    func length() {
        let long = AccessRecord.loggable("/" + String(repeating: "é", count: 20_000))
        #expect(long.hasPrefix("/éé") && long.hasSuffix("…") && long.utf8.count < 2060)
        #expect(!AccessRecord.loggable("/?token=" + String(repeating: "s", count: 20_000)).contains("s"))
        let longest = "/" + String(repeating: "a", count: 2047)
        #expect(AccessRecord.loggable(longest) == longest)
    }
}
