import Foundation
import TestSupport
import Testing

@Suite(
    "Videos that thumbwheel inspect shows",
    .enabled(if: ThumbwheelProcess.executable != nil, Comment(rawValue: ThumbwheelProcess.reasonToSkip)), .endsHangs)
struct InspectVideoTests {
    private func file(_ change: (inout MovieFile) -> Void) -> [UInt8] {
        var file = MovieFile()
        file.pixelCount = 16
        change(&file)
        return file.encoded()
    }

    private func inspect(_ bytes: [UInt8], _ name: String = "a.mov") throws -> (document: [String: Any], text: String) {
        let folder = try ScratchFolder()
        try folder.write(name, bytes)
        let files = try ThumbwheelProcess.run("inspect", folder.path, "--json", "-").document?["files"]
        return (
            try #require((files as? [[String: Any]])?.first), try ThumbwheelProcess.run("inspect", folder.path).output
        )
    }

    @Test("a video shows its length, coding, rotation, kinds, identifier and date")
    func facts() throws {
        let (document, text) = try inspect(
            file {
                $0.tracks[0].matrix = BoxBytes.matrix(0, 1 << 16, -(1 << 16), 0)
                $0.tracks[0].times = [(2400, 125)]
                $0.items = [
                    MovieFileItem("com.apple.quicktime.content.identifier", "LIVE-1"),
                    MovieFileItem("com.apple.quicktime.creationdate", "2023-05-06T09:08:09+0200"),
                ]
                $0.tracks.append(.still(at: 930))
            })
        #expect(document["format"] as? String == "video/quicktime" && document["duration"] as? Double == 10)
        #expect(document["width"] as? Int == 1080 && document["height"] as? Int == 1920)
        #expect(document["kinds"] as? [String] == ["slowMotion", "video"])
        #expect(document["contentIdentifier"] as? String == "LIVE-1" && document["error"] is NSNull)
        #expect(document["captured"] as? String == "2023-05-06T09:08:09+02:00")
        let video = try #require(document["video"] as? [String: Any])
        #expect(video["codec"] as? String == "h264" && video["codedSize"] as? String == "1920x1080")
        #expect(video["rotation"] as? Int == 90 && video["mirrored"] as? Bool == false)
        #expect(video["framesPerSecond"] as? Double == 240 && video["sound"] as? Bool == false)
        #expect(video["stillTime"] as? Double == 1.55)
        for line in [
            "format: video/quicktime", "video: h264, 1920x1080, turned by 90°, 240.0 frames/s, without sound",
            "duration: 10.0 s", "still at: 1.55 s", "created: 2023-05-06T07:08:09Z, by videoMetadata",
            "kind: slowMotion, by 240 pictures a second", "live photo: LIVE-1",
        ] { #expect(text.contains("  \(line)\n"), "\(line)\n\(text)") }
    }

    @Test("a photograph has no length and no video")
    func photograph() throws {
        let png: [UInt8] =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            + [0, 0, 0, 4, 0, 0, 0, 3, 8, 2, 0, 0, 0] + [UInt8](repeating: 0, count: 8) + Array("IEND".utf8)
            + [0, 0, 0, 0]
        let (document, _) = try inspect(png, "a.png")
        #expect(document["duration"] as? Double == 0 && document["video"] is NSNull)
        #expect(document["kinds"] as? [String] == [] && document["contentIdentifier"] is NSNull)
    }

    @Test("commands that make images take videos, and report those whose frames cannot be decoded")
    func rendered() throws {
        let folder = try ScratchFolder()
        try folder.write("a.mov", file { _ in })
        let outcome = try ThumbwheelProcess.run("render", "--strict", folder.path)
        #expect(outcome.status == 1 && outcome.errors.contains("a.mov"), "\(outcome.errors)")
    }
}
