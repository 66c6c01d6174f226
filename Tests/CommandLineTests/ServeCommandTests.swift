import Foundation
import Glibc
import TestSupport
import Testing
import Thumbwheel

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

    /// Sends a request over a connection of its own, and returns all that comes.
    private func answer(_ port: Int, _ request: String) -> String {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { return "" }
        _ = request.withCString { write(descriptor, $0, strlen($0)) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer.prefix(count) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func get(_ port: Int, _ target: String) -> String {
        answer(port, "GET \(target) HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    }

    /// Runs a server over a folder until `body` has ended, and expects that it ends well.
    private func serve(_ words: [String], _ body: (_ port: Int) throws -> Void) throws {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: ThumbwheelProcess.executable!)
        process.arguments = ["serve", "--port", "0", "--no-placeholders"] + words
        process.standardError = pipe
        try process.run()
        var text = ""
        while !text.contains("/\n"), process.isRunning {
            text += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        }
        let line = text.split(separator: "\n").first { $0.hasSuffix("/") }
        let port = try #require(line?.split(separator: ":").last.flatMap { Int($0.dropLast()) })
        while !get(port, "/readyz").contains("200 OK") { sched_yield() }
        try body(port)
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test("a favourite outlives the process that keeps its library in a file", .endsHangs)
    func library() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("photos"), withIntermediateDirectories: true)
        let bitmap = Bitmap(size: PixelSize(width: 40, height: 30), format: .rgb) { pixels in
            for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index) }
        }
        try Data(try bitmap.encoded(as: .jpeg(quality: 80))).write(to: URL(filePath: folder.file("photos/photo.jpg")))
        let words = [folder.file("photos"), "--library", folder.file("library")]
        try serve(words) { port in
            let albums = get(port, "/api/albums")
            let name = try #require(albums.split(separator: "\"asset\":\"").dropFirst().first?.prefix { $0 != "\"" })
            let body = "{\"asset\":\"\(name)\",\"favorite\":true}"
            let response = answer(
                port,
                "POST /api/favorite HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n"
                    + "content-length: \(body.utf8.count)\r\n\r\n\(body)")
            #expect(response.contains("202 Accepted") && !albums.contains("Favorites"))
            while !get(port, "/api/albums").contains("Favorites") { sched_yield() }
        }
        try serve(words) { port in
            #expect(get(port, "/api/albums").contains("Favorites"))
            // The file is this process's alone.
            let second = try ThumbwheelProcess.run(ThumbwheelProcess.executable!, ["serve", "--port", "0"] + words)
            #expect(second.status == 2 && second.errors.contains("belongs to another process"))
        }
        try Data("no library".utf8).write(to: URL(filePath: folder.file("library")))
        let refusal = try ThumbwheelProcess.run(ThumbwheelProcess.executable!, ["serve", "--port", "0"] + words)
        #expect(refusal.status == 2 && refusal.errors.contains("--library"))
    }
}
