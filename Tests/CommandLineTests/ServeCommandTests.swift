import Foundation
import Glibc
import TestSupport
import Testing
import Thumbwheel

@Suite(
    "thumbwheel serve",
    .enabled(if: ThumbwheelProcess.executable != nil, Comment(rawValue: ThumbwheelProcess.reasonToSkip)), .endsHangs)
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
        #expect(try refusal("") == "thumbwheel: serve takes folders of photographs\n")
        #expect(try refusal("# only this\n\ncolour = red", path).contains("unknown option 'colour'"))
        #expect(try refusal("port", path).contains("line 1: not 'name = value'"))
        #expect(try refusal("quality = 101", path).contains("--quality 101"))
        #expect(try refusal("signed = perhaps", path).contains("true or false"))
        #expect(try refusal("signed = true", path).contains("need --secret"))
        #expect(try refusal("ladder = 0", path).contains("--ladder 0"))
        #expect(try refusal("listen = nowhere", path).contains("--listen nowhere"))
        #expect(try refusal("", path, "--listen", "::1:80").contains("--listen ::1:80"))
        // All of an address goes before parts of it that are said less plainly.
        #expect(try refusal("host = nowhere", path, "--listen", "nobody:0").contains("nobody is no address"))
        #expect(try refusal("listen = nobody:0\nhost = nowhere", path).contains("nowhere is no address"))
        // What the command line says goes before the file.
        #expect(try refusal("host = nowhere", path, "--host", "nobody").contains("nobody is no address"))
    }

    /// Returns the descriptor of a new connection; nil if there is none.
    private func connection(_ port: Int) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status != 0 else { return descriptor }
        close(descriptor)
        return nil
    }

    /// Sends a request over a connection of its own, and returns all that comes; nothing if no connection can be made.
    ///
    /// A client that a busy machine keeps waiting between its connection and its request is sent away without an answer.
    /// It then asks again.
    private func answer(_ port: Int, _ request: String) -> String {
        while let descriptor = connection(port) {
            defer { close(descriptor) }
            _ = request.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer.prefix(count) }
            if !bytes.isEmpty { return String(decoding: bytes, as: UTF8.self) }
        }
        return ""
    }

    private func get(_ port: Int, _ target: String) -> String {
        answer(port, "GET \(target) HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    }

    /// Runs a server over a folder until `body` has ended, and expects that it ends well.
    private func serve(_ words: [String], _ body: (_ port: Int) throws -> Void) throws {
        try serve(words) { port, _ in try body(port) }
    }

    private func serve(_ words: [String], _ body: (_ port: Int, _ process: Process) throws -> Void) throws {
        let process = Process()
        process.executableURL = URL(filePath: ThumbwheelProcess.executable!)
        process.arguments = ["serve", "--listen", "127.0.0.1:0", "--no-placeholders"] + words
        // As under systemd, whatever terminal the tests have.
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let pipe = try ProcessStart.perform {
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            return pipe
        }
        var text = ""
        while !text.contains("\n"), process.isRunning {
            text += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        }
        let match = try #require(text.wholeMatch(of: /listening on http:\/\/127\.0\.0\.1:([0-9]+)\/\n/))
        let port = try #require(Int(match.1))
        while !get(port, "/readyz").contains("200 OK") { sched_yield() }
        try body(port, process)
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test("a favourite outlives the process that keeps its library in a file")
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
            #expect(response.contains("200 OK") && !albums.contains("Favorites"))
            #expect(get(port, "/api/albums").contains("Favorites"))
        }
        try serve(words) { port in
            #expect(get(port, "/api/albums").contains("Favorites"))
            // The file is this process's alone.
            let second = try ThumbwheelProcess.run(
                ThumbwheelProcess.executable!, ["serve", "--listen", "127.0.0.1:0"] + words)
            #expect(second.status == 2 && second.errors.contains("belongs to another process"))
        }
        try Data("no library".utf8).write(to: URL(filePath: folder.file("library")))
        let refusal = try ThumbwheelProcess.run(
            ThumbwheelProcess.executable!, ["serve", "--listen", "127.0.0.1:0"] + words)
        #expect(refusal.status == 2 && refusal.errors.contains("--library"))
    }

    private func addPhotograph(_ path: String, side: Int, height: Int = 30) throws {
        let bitmap = Bitmap(size: PixelSize(width: side, height: height), format: .rgb) { pixels in
            for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index) }
        }
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(try bitmap.encoded(as: .jpeg(quality: 80))).write(to: URL(filePath: path))
    }

    @Test("several folders are served, each photograph once, and an end with requests open is a good one")
    func folders() throws {
        let folder = try TemporaryFolder()
        try addPhotograph(folder.file("one/first.jpg"), side: 40)
        try addPhotograph(folder.file("one/inner/second.jpg"), side: 50)
        try addPhotograph(folder.file("two/third.jpg"), side: 60)
        let words = [
            folder.file("one"), folder.file("two"), folder.file("one/inner"), "--budget", "64MiB", "--record",
            folder.file("traces"), "--grace", "0",
        ]
        var descriptor: Int32 = -1
        defer { close(descriptor) }
        try serve(words) { port in
            let albums = get(port, "/api/albums")
            #expect(albums.contains("\"count\":3,") && !albums.contains("\"count\":4,"))
            #expect(FileManager.default.fileExists(atPath: folder.file("traces")))
            // A request that never ends.
            descriptor = try #require(connection(port))
            let half =
                "POST /api/trace HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
                + "content-length: 9\r\n\r\nx"
            _ = half.withCString { write(descriptor, $0, strlen($0)) }
            while !get(port, "/metrics").contains("thumbwheel_service_responses_total") { sched_yield() }
        }
    }

    @Test("the access log is opened anew at SIGHUP")
    func rotation() throws {
        let folder = try TemporaryFolder()
        try addPhotograph(folder.file("photos/photo.jpg"), side: 40)
        let log = folder.file("access.jsonl")
        try serve([folder.file("photos"), "--json", log]) { port, process in
            while (FileManager.default.contents(atPath: log) ?? Data()).isEmpty { sched_yield() }
            try FileManager.default.moveItem(atPath: log, toPath: log + ".1")
            kill(process.processIdentifier, SIGHUP)
            while !FileManager.default.fileExists(atPath: log) { sched_yield() }
            _ = get(port, "/api/albums")
            while !String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self)
                .contains("/api/albums")
            {
                sched_yield()
            }
        }
    }

    @Test("SIGHUP ends no service that has no log")
    func hangUpWithoutLog() throws {
        let folder = try TemporaryFolder()
        try addPhotograph(folder.file("photos/photo.jpg"), side: 40)
        // A service that ended would not end well.
        try serve([folder.file("photos")]) { _, process in kill(process.processIdentifier, SIGHUP) }
    }

    @Test("browsers come by the names that the service was told")
    func hosts() throws {
        let folder = try TemporaryFolder()
        try addPhotograph(folder.file("photos/photo.jpg"), side: 40)
        try serve([folder.file("photos"), "--hosts", "photos.example,other.example"]) { port in
            for (host, status) in [
                ("photos.example", 200), ("other.example:80", 200), ("evil.example", 421), ("nas", 200),
            ] {
                let response = answer(
                    port, "GET /api/albums HTTP/1.1\r\nhost: \(host)\r\nconnection: close\r\n\r\n")
                #expect(response.hasPrefix("HTTP/1.1 \(status) "), "\(host)")
            }
        }
    }

    @Test(
        "the gallery's cells are found in a store that was warmed, and nobody else can read what a service keeps")
    func warmed() throws {
        let folder = try TemporaryFolder()
        for number in 0..<3 {
            try addPhotograph(folder.file("photos/\(number).jpg"), side: 1600 + number, height: 1200)
        }
        let (store, log) = (folder.file("store"), folder.file("access.jsonl"))
        let warming = try ThumbwheelProcess.run("warm", folder.file("photos"), "--store", store, "--for-serve")
        #expect(warming.status == 0 && warming.output.hasPrefix("9 made, 0 there already, 0 failed"))
        let words = [folder.file("photos"), "--store", store, "--json", log, "--library", folder.file("library")]
        var lines = ""
        // A store that does not answer at once, on a busy machine, is not waited for, and the image is rendered.
        for _ in 0..<20 where !lines.contains("\"origin\":\"store\"") {
            try serve(words) { port in
                let albums = get(port, "/api/albums")
                func field(_ name: String) throws -> Substring {
                    try #require(albums.split(separator: "\"\(name)\":\"").dropFirst().first?.prefix { $0 != "\"" })
                }
                let address = "/a/\(try field("asset"))/\(try field("version"))"
                for side in [256, 384, 512] {
                    #expect(get(port, "\(address)/\(side)x\(side).jpg?mode=fit").hasPrefix("HTTP/1.1 200 "))
                }
            }
            lines = String(decoding: try #require(FileManager.default.contents(atPath: log)), as: UTF8.self)
        }
        #expect(lines.contains("\"origin\":\"store\""), "\(lines)")
        let files = try #require(FileManager.default.enumerator(atPath: store)).compactMap { $0 as? String }
        #expect(files.contains("index.sqlite") && files.count > 2)
        for path in [store, log, folder.file("library")] + files.map({ store + "/" + $0 }) {
            let mode = try #require(
                FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
            #expect(mode & 0o077 == 0, "\(path)")
        }
    }

    @Test("the unit and the container give options that serve has")
    func deployment() throws {
        let help = try ThumbwheelProcess.run("help", "serve").output
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        for (name, count) in [("thumbwheel.service", 4), ("Containerfile", 3)] {
            let text = try String(contentsOf: root.appending(path: "Deployment/" + name), encoding: .utf8)
            let lines = text.split(separator: "\n").filter {
                ["ExecStart=", "ENTRYPOINT ", "ENV THUMBWHEEL_"].contains(where: $0.hasPrefix)
            }
            let options = lines.flatMap { $0.matches(of: /--[a-z-]+/).map { String($0.output) } }
            let variables = lines.compactMap { $0.firstMatch(of: /^ENV THUMBWHEEL_([A-Z_]+)=/)?.1 }
                .map { "--" + $0.lowercased().replacing("_", with: "-") }
            #expect(options.count == count)
            for option in options + variables { #expect(help.contains("    \(option) "), "\(name): \(option)") }
        }
    }
}
