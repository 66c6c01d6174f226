import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

/// Colours that only the coded data state.
@Suite("Colours in coded HEIF pictures") struct HEIFColorTests {
    private static func file(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: "Tests/TenBit/" + name)))
    }

    /// The file with its `colr` property renamed to one that nobody knows.
    private static func withoutColors(_ file: [UInt8]) throws -> [UInt8] {
        let kind = [UInt8]("colr".utf8)
        var file = file
        let place = try #require(file.indices.first { file[$0...].starts(with: kind) })
        file.replaceSubrange(place..<place + 4, with: [UInt8]("none".utf8))
        return file
    }

    @Test(
        "primaries and transfer of the coded data count where the file states none",
        arguments: ["pq10.avif", "pq10.heic"])
    func codedData(_ name: String) throws {
        let stated = try Self.file(name)
        let unstated = try Self.withoutColors(stated)
        #expect(try ImageHead(reading: MemoryByteSource(unstated)).codedColor == nil)
        for side in [256, 100] {
            let options = RenderOptions(targetSize: PixelSize(width: side, height: side), contentMode: .aspectFit)
            let images = try [stated, unstated].map {
                try Renderer().render(MemoryByteSource($0), options: options).bitmap
            }
            #expect(Pictures.largestDifference(images[0], images[1]) == 0)
        }
        let light = try [stated, unstated].map { try LightPicture.image($0).bitmap.withUnsafeBytes { Array($0) } }
        let isEqual = light[0] == light[1]
        #expect(isEqual)
    }

    @Test("the file's own statement wins")
    func statement() throws {
        // Says sRGB instead of PQ.
        var file = try Self.file("pq10.heic")
        let kind = [UInt8]("colrnclx".utf8)
        let place = try #require(file.indices.first { file[$0...].starts(with: kind) }) + kind.count
        file.replaceSubrange(place..<place + 4, with: [0, 1, 0, 13])
        let options = RenderOptions(targetSize: PixelSize(width: 256, height: 64), resizeMode: .exact)
        let samples = Pictures.samples(try Renderer().render(MemoryByteSource(file), options: options).bitmap)
        // 4000 cd/m² are a sample of 0.9 in PQ, shown as it lies.
        #expect(abs(Int(samples[(32 * 256 + 240) * 3]) - 230) <= 4)
    }
}
