import Foundation
import TestSupport
import Testing

@Suite(
    "Facts that thumbwheel inspect shows",
    .enabled(if: ThumbwheelProcess.executable != nil, Comment(rawValue: ThumbwheelProcess.reasonToSkip)), .endsHangs)
struct InspectFactsTests {
    /// A PNG with an XMP packet.
    private func png(_ packet: String) -> [UInt8] {
        func chunk(_ kind: String, _ payload: [UInt8]) -> [UInt8] {
            let count = withUnsafeBytes(of: UInt32(payload.count).bigEndian) { Array($0) }
            return count + Array(kind.utf8) + payload + [0, 0, 0, 0]
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", [0, 0, 0, 4, 0, 0, 0, 3, 8, 2, 0, 0, 0])
            + chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0\(packet)".utf8)) + chunk("IDAT", [0]) + chunk("IEND", [])
    }

    private let packet = """
        <rdf:Description exif:GPSLatitude='51,30N' exif:GPSLongitude='0,7.5W' exif:GPSAltitude='25/2'
         exif:GPSImgDirection='90' exif:GPSImgDirectionRef='M' GCamera:BurstID='abc'/>
        """

    @Test("place, heading, date, kinds and burst come with their sources, and companions with their purpose")
    func facts() throws {
        let folder = try ScratchFolder()
        try folder.write("Screenshot_20230102-030405.png", png(packet))
        try folder.write("Screenshot_20230102-030405.aae", Array("recipe".utf8))
        let outcome = try ThumbwheelProcess.run("inspect", folder.path, "--json", "-")
        let files = try #require(outcome.document?["files"] as? [[String: Any]])
        let facts = try #require(files.first?["facts"] as? [String: Any])
        #expect(files.count == 1)
        #expect(facts["created"] as? String == "2023-01-02T03:04:05Z" && facts["dateSource"] as? String == "filename")
        #expect(facts["place"] as? [String: Double] == ["latitude": 51.5, "longitude": -0.125, "altitude": 12.5])
        let heading = try #require(facts["heading"] as? [String: Any])
        #expect(heading["degrees"] as? Double == 90 && heading["magnetic"] as? Bool == true)
        #expect(facts["kinds"] as? [[String: String]] == [["kind": "screenshot", "fact": "the file's name"]])
        #expect(facts["burst"] as? String == "abc" && facts["representsBurst"] as? Bool == true)
        #expect(facts["livePhoto"] is NSNull)
        let companions = facts["companions"] as? [[String: String]]
        #expect(companions == [["kind": "adjustmentData", "file": "Screenshot_20230102-030405.aae"]])
        let text = try ThumbwheelProcess.run("inspect", folder.path).output
        for line in [
            "created: 2023-01-02T03:04:05Z, by filename", "place: 51.5, -0.125, 12.5 m",
            "heading: 90.0° from magnetic north", "kind: screenshot, by the file's name", "burst: abc, represents it",
            "adjustmentData: Screenshot_20230102-030405.aae",
        ] { #expect(text.contains("  \(line)\n"), "\(line)") }
    }
}
