import Foundation
import Testing

@Suite(
    "thumbwheel serve",
    .enabled(if: ThumbwheelProcess.executable != nil, Comment(rawValue: ThumbwheelProcess.reasonToSkip)))
struct ServeCommandTests {
    @Test("what cannot be used is told in one line before anything is served")
    func refusals() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "serve.conf").path
        func refusal(_ configuration: String, _ words: String...) throws -> String {
            try Data(configuration.utf8).write(to: URL(filePath: file))
            let outcome = try ThumbwheelProcess.run(
                ThumbwheelProcess.executable!, ["serve", "--config", file, "--port", "0"] + words)
            #expect(outcome.status == 2)
            return outcome.errors
        }
        let path = folder.path
        #expect(try refusal("") == "thumbwheel: serve takes one folder of photographs\n")
        #expect(try refusal("# only this\n\ncolour = red", path).contains("unknown option 'colour'"))
        #expect(try refusal("port", path).contains("line 1: not 'name = value'"))
        #expect(try refusal("quality = 101", path).contains("--quality 101"))
        #expect(try refusal("signed = perhaps", path).contains("true or false"))
        #expect(try refusal("signed = true", path).contains("need --secret"))
        #expect(try refusal("ladder = 0", path).contains("--ladder 0"))
        // What the command line says goes before the file.
        #expect(try refusal("host = nowhere", path, "--host", "nobody").contains("nobody is no address"))
    }
}
