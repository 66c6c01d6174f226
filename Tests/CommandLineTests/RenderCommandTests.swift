import FixtureKit
import Foundation
import TestSupport
import Testing

@Suite(
    "thumbwheel render and inspect",
    .enabled(if: ThumbwheelProcess.executable != nil, Comment(rawValue: ThumbwheelProcess.reasonToSkip)),
    .enabled(if: FileManager.default.fileExists(atPath: Checkout.fixtures), "run `make fixtures` first"), .endsHangs)
struct RenderCommandTests {
    @Test("renders the whole fixture library to the exact target, and the summary adds up")
    func wholeLibrary() throws {
        let outcome = try ThumbwheelProcess.run("render", Checkout.fixtures, "--size", "96x64", "--json", "-")
        #expect(outcome.status == 0)
        let document = try #require(outcome.document)
        #expect(document["schema"] as? String == "thumbwheel.render/1")
        let images = try #require(document["images"] as? [[String: Any]])
        let summary = try #require(document["summary"] as? [String: Any])
        #expect(summary["images"] as? Int == images.count)
        let failed = images.filter { !($0["error"] is NSNull) }
        #expect(summary["failed"] as? Int == failed.count)
        #expect(failed.isEmpty || failed.allSatisfy { ($0["file"] as? String)?.hasSuffix(".bmp") == true })
        for image in images where image["error"] is NSNull {
            let file = image["file"] as? String ?? ""
            #expect(file.hasPrefix(Checkout.fixtures))
            #expect((image["milliseconds"] as? Double ?? 0) > 0)
            // What is smaller than the target stays at its own size.
            guard !file.contains("one-pixel"), !file.contains("5000x10") else { continue }
            #expect(image["width"] as? Int == 96 && image["height"] as? Int == 64, "\(file)")
        }
    }

    @Test("the command is its own decoder outside the process, and inspect tells what protects it")
    func isolation() throws {
        let folder = try TemporaryFolder()
        let outcomes = try ["none", "all"].map { isolation in
            try ThumbwheelProcess.run(
                "render", Checkout.fixtures, "--size", "96x64", "--isolation", isolation,
                "--out", folder.file(isolation), "--json", "-")
        }
        #expect(outcomes.allSatisfy { $0.status == 0 })
        let codes = outcomes.map { outcome in
            (outcome.document?["images"] as? [[String: Any]])?.map { "\($0["file"] ?? ""): \($0["error"] ?? "")" }
        }
        #expect(codes[0] == codes[1])
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.file("none")).sorted()
        #expect(names.count > 10)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.file("all")).sorted() == names)
        for name in names {
            let files = ["none", "all"].map { FileManager.default.contents(atPath: folder.file($0) + "/" + name) }
            #expect(files[0] == files[1], "\(name)")
        }
        let document = try ThumbwheelProcess.run("inspect", Checkout.fixtures, "--json", "-").document
        let isolation = try #require(document?["isolation"] as? [String: Any])
        let protections = try #require(isolation["protections"] as? [String])
        #expect(protections.contains("callFilter") && isolation["error"] is NSNull)
        #expect(protections.count + ((isolation["missing"] as? [String])?.count ?? 0) == 6)
    }

    @Test(
        "with a Redis, a second run decodes nothing and delivers the same bytes",
        .enabled(if: SmallRedis.isInstalled, "redis-server is not installed"))
    func redis() throws {
        let scratch = try TemporaryFolder()
        let server = try SmallRedis(in: scratch)
        let documents = try ["first", "second"].map { name in
            let outcome = try ThumbwheelProcess.run(
                "render", Checkout.fixtures, "--size", "64x64", "--redis", server.address, "--out", scratch.file(name),
                "--json", "-")
            #expect(outcome.status == 0)
            return try #require(outcome.document)
        }
        let origins = documents.map { document in
            Set(((document["images"] as? [[String: Any]]) ?? []).compactMap { $0["from"] as? String })
        }
        #expect(origins == [["render"], ["shared"]])
        #expect((documents[1]["summary"] as? [String: Any])?["renders"] as? Int == 0)
        let names = try FileManager.default.subpathsOfDirectory(atPath: scratch.file("first")).sorted()
        #expect(names.count > 10)
        for name in names {
            let files = ["first", "second"].map { FileManager.default.contents(atPath: scratch.file($0) + "/" + name) }
            #expect(files[0] == files[1], "\(name)")
        }
    }

    @Test("a store that cannot be used is reported, and everything is rendered")
    func unusableStore() throws {
        let scratch = try TemporaryFolder()
        try scratch.write("", to: "file")
        let outcome = try ThumbwheelProcess.run(
            "render", Checkout.fixtures, "--size", "64x64", "--store", scratch.file("file") + "/store", "--json", "-")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("The store cannot use"), "\(outcome.errors)")
        let summary = try #require(outcome.document?["summary"] as? [String: Any])
        #expect(summary["renders"] as? Int ?? 0 > 10)
    }

    @Test("a Redis that cannot be reached is reported, and everything is rendered")
    func unreachableRedis() throws {
        let scratch = try TemporaryFolder()
        let outcome = try ThumbwheelProcess.run(
            "render", Checkout.fixtures, "--size", "64x64", "--redis", "unix://\(scratch.file("none.sock"))", "--json",
            "-")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("Redis cannot be reached"), "\(outcome.errors)")
        let summary = try #require(outcome.document?["summary"] as? [String: Any])
        #expect(summary["renders"] as? Int ?? 0 > 10)
    }

    @Test("on a system that refuses namespaces, inspect says that they are missing, and photographs are rendered")
    func isolationWithoutNamespaces() throws {
        guard let planted = BuiltExecutable.path("PlantedDecoder"), let command = ThumbwheelProcess.executable else {
            return print("skipped: PlantedDecoder is not built")
        }
        func restricted(_ words: String..., without protection: String = "namespaces") throws -> String {
            let outcome = try ThumbwheelProcess.run(planted, ["restrict", protection, command] + words)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.output
        }
        let photograph = Checkout.fixtures + "/camera-1-landscape-1600x1200.jpg"
        let line = try #require(try restricted("inspect", photograph).split(separator: "\n").last)
        #expect(line.hasPrefix("decoding outside the process: ") && line.contains("callFilter"))
        #expect(line.firstRange(of: "not granted: ").map { line[$0.upperBound...].contains("namespaces") } ?? false)
        let rendered = try restricted("render", photograph, "--isolation", "all", "--strict")
        #expect(!rendered.isEmpty)
        // Without the filter of system calls there are no decoders, and the reason is told.
        let refusal = try restricted("inspect", photograph, without: "callFilter").split(separator: "\n").last
        #expect(refusal?.firstRange(of: "required protection: callFilter") != nil)
        #expect(refusal?.hasPrefix("decoding outside the process: ") ?? false)
    }

    @Test("frames of videos that decoder processes make are those that the command makes itself")
    func isolatedFrames() throws {
        let folder = try TemporaryFolder()
        let clips = folder.file("clips")
        try FileManager.default.createDirectory(atPath: clips, withIntermediateDirectories: true)
        let clip = Clip("clip.mp4", encoder: "mpeg4", Clip.Pictures(hasSound: false))
        guard let maker = ClipMaker(), maker.canMake(clip) else {
            print("skipped clip.mp4: ffmpeg or its encoder is missing")
            return
        }
        try maker.make(clip, in: clips)
        let files = try ["none", "untrusted", "all"].map { isolation in
            let outcome = try ThumbwheelProcess.run(
                "render", clips, "--size", "96x64", "--format", "png", "--isolation", isolation, "--strict", "--out",
                folder.file(isolation))
            #expect(outcome.status == 0, "\(outcome.errors)")
            return FileManager.default.contents(atPath: folder.file(isolation) + "/clip.png")
        }
        #expect(files[0] != nil && files[1] == files[0] && files[2] == files[0])
    }

    @Test("a pipe gets the document and stays a pipe")
    func pipe() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let outcome = try ThumbwheelProcess.run(
            "render", Checkout.fixtures + "/camera-1-landscape-1600x1200.jpg", "--json", path)
        #expect(outcome.status == 0)
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(reader, &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).contains("thumbwheel.render/1"))
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }

    @Test("a broken photograph is reported by name and reason, and everything else is rendered")
    func damagedFiles() throws {
        let outcome = try ThumbwheelProcess.run(
            "render", Checkout.damaged, Checkout.fixtures + "/camera-1-landscape-1600x1200.jpg", "--json", "-")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("truncated.jpg: truncated"))
        let images = try #require(outcome.document?["images"] as? [[String: Any]])
        let errors = images.reduce(into: [String: String]()) { errors, image in
            let name = URL(fileURLWithPath: image["file"] as? String ?? "").lastPathComponent
            errors[name] = (image["error"] as? [String: Any])?["code"] as? String ?? "none"
        }
        #expect(errors["truncated.jpg"] == "truncated")
        #expect(errors["truncated.png"] == "truncated")
        #expect(errors["camera-1-landscape-1600x1200.jpg"] == "none")
        let strict = try ThumbwheelProcess.run("render", Checkout.damaged, "--strict", "--json", "-")
        #expect(strict.status == 1)
    }

    @Test("writes thumbnails that can be rendered again")
    func output() throws {
        let folder = try TemporaryFolder()
        for format in ["png", "jpeg", "webp"] {
            let out = folder.file(format)
            let outcome = try ThumbwheelProcess.run(
                "render", Checkout.fixtures + "/small-400x300.jpg", "--size", "80x80", "--out", out, "--format", format,
                "--json", folder.file("\(format).json"))
            #expect(outcome.status == 0, "\(outcome.errors)")
            let again = try ThumbwheelProcess.run("inspect", out, "--json", "-")
            let files = try #require(again.document?["files"] as? [[String: Any]])
            #expect(files.count == 1)
            #expect(files.first?["format"] as? String == "image/\(format)")
            #expect(files.first?["width"] as? Int == 80)
        }
    }

    @Test("opportunistic delivery gives files with a preview a first image")
    func previews() throws {
        let file = Checkout.fixtures + "/camera-1-landscape-1600x1200.jpg"
        func first(_ flags: String...) throws -> Double? {
            let arguments = ["render", file, "--delivery", "opportunistic", "--json", "-"] + flags
            let outcome = try ThumbwheelProcess.run(ThumbwheelProcess.executable!, arguments)
            let images = try #require(outcome.document?["images"] as? [[String: Any]])
            return images.first?["firstMilliseconds"] as? Double
        }
        #expect(try first() != nil)
        #expect(try first("--no-previews") == nil)
    }

    /// A hash shows the whole picture, and this file has its middle only.
    @Test("without hashes, tiles outside of what is shown are not decoded")
    func noHashes() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("wide.tif", Self.wideTIFF)
        func render(_ flags: String...) throws -> (image: [String: Any], hashes: Any?) {
            let arguments = ["render", file, "--size", "64x64", "--json", "-"] + flags
            let outcome = try ThumbwheelProcess.run(ThumbwheelProcess.executable!, arguments)
            let images = try #require(outcome.document?["images"] as? [[String: Any]])
            let settings = try #require(outcome.document?["settings"] as? [String: Any])
            return (try #require(images.first), (settings["workload"] as? [String: Any])?["hashes"])
        }
        let plain = try render("--no-hashes")
        #expect(plain.image["error"] is NSNull)
        #expect(plain.hashes as? Bool == false)
        let hashed = try render()
        #expect((hashed.image["error"] as? [String: Any])?["code"] as? String == "truncated")
        #expect(hashed.hashes == nil)
    }

    /// Four grey tiles side by side, of which the last lies beyond the end of the file.
    private static var wideTIFF: [UInt8] {
        func number(_ value: Int, _ width: Int) -> [UInt8] {
            (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        func entry(_ tag: Int, _ values: Int...) -> [UInt8] {
            number(tag, 2) + number(4, 2) + number(values.count, 4) + number(values[0], 4)
        }
        let (side, start) = (128, 8 + 2 + 10 * 12 + 4)
        let (places, pixels) = (start, start + 2 * 16)
        let directory = [
            entry(256, 4 * side), entry(257, side), entry(258, 8), entry(259, 1), entry(262, 1), entry(277, 1),
            entry(322, side), entry(323, side), entry(324, places, 0, 0, 0), entry(325, places + 16, 0, 0, 0),
        ]
        return [0x49, 0x49, 42, 0] + number(8, 4)
            + number(directory.count, 2) + directory.flatMap(\.self) + number(0, 4)
            + [0, 0, 0, 1 << 20].flatMap { number(pixels + $0, 4) }
            + Array(repeating: number(side * side, 4), count: 4).joined() + [UInt8](repeating: 128, count: side * side)
    }

    @Test("inspect tells type, size, orientation, coding and preview")
    func inspect() throws {
        let outcome = try ThumbwheelProcess.run(
            "inspect", Checkout.fixtures + "/orientation-6.jpg", Checkout.fixtures + "/progressive-1600x1200.jpg",
            "--json", "-")
        let files = try #require(outcome.document?["files"] as? [[String: Any]])
        #expect(files.count == 2)
        #expect(files[0]["orientation"] as? Int == 6)
        #expect((files[0]["previews"] as? [Any])?.count == 1)
        #expect((files[1]["jpeg"] as? [String: Any])?["process"] as? String == "progressive")
        #expect(files[1]["stoppable"] as? Bool == true)
    }
}
