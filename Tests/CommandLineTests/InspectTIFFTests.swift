import Foundation
import TestSupport
import Testing

@testable import FixtureKit

@Suite(
    "Versions of a TIFF's page that thumbwheel inspect shows",
    .enabled(if: ThumbwheelProcess.executable != nil, Comment(rawValue: ThumbwheelProcess.reasonToSkip)), .endsHangs)
struct InspectTIFFTests {
    private func inspect(_ bytes: [UInt8], size: String) throws -> (tiff: [String: Any]?, text: String) {
        let folder = try ScratchFolder()
        try folder.write("a.tif", bytes)
        let words = ["inspect", folder.path, "--size", size]
        let outcome = try ThumbwheelProcess.run(words[0], words[1], words[2], words[3], "--json", "-")
        let files = try #require(outcome.document?["files"] as? [[String: Any]])
        let text = try ThumbwheelProcess.run(words[0], words[1], words[2], words[3]).output
        return (files.first?["tiff"] as? [String: Any], text)
    }

    private func tiff(_ options: String) throws -> [UInt8] {
        try VipsEncoder(suffix: ".tif", options: options).encode(
            Raster(Scene(seed: 6, subject: .stillLife), width: 1000, height: 700))
    }

    @Test("the version, its tiles and its scale follow the size of the thumbnail")
    func pyramid() throws {
        let file = try tiff("compression=jpeg,tile,tile_width=64,tile_height=64,pyramid")
        let (small, text) = try inspect(file, size: "12x12")
        #expect(small?["level"] as? String == "62x43" && small?["levels"] as? Int == 5)
        #expect(small?["blocks"] as? Int == 1 && small?["block"] as? String == "64x64")
        #expect(small?["tiled"] as? Bool == true)
        let scale = try #require(small?["scale"] as? Int)
        #expect((3...8).contains(scale))
        #expect(text.contains("  version for the thumbnail: 62x43, one of 5, in 1 tiles of 64x64"), "\(text)")
        let (large, _) = try inspect(file, size: "700x700")
        #expect(large?["level"] as? String == "1000x700" && large?["blocks"] as? Int == 176)
        #expect(large?["scale"] as? Int == 8)
    }

    @Test("a file without smaller versions has one, in strips")
    func strips() throws {
        let (whole, text) = try inspect(try tiff("compression=deflate"), size: "64x64")
        #expect(whole?["level"] as? String == "1000x700" && whole?["levels"] as? Int == 1)
        #expect(whole?["tiled"] as? Bool == false && whole?["scale"] as? Int == 8)
        #expect(text.contains("version for the thumbnail: 1000x700, one of 1, in "))
    }
}
