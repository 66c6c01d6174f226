import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

/// Images in linear light of real files of ten bits, which `Tests/TenBit/README.md` describes.
@Suite("HEIC and AVIF of ten bits") struct TenBitTests {
    private static let step = 1.0 / 1024

    private static func file(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: "Tests/TenBit/" + name)))
    }

    private static func grey(_ light: Double) -> SIMD4<Double> { SIMD4(light, light, light, 1) }

    @Test("every level of ten bits comes through", arguments: ["ramp10.avif", "ramp10.heic"])
    func levels(name: String) throws {
        let file = try Self.file(name)
        #expect(try ImageHead(reading: MemoryByteSource(file)).bitsPerChannel == 10)
        let picture = try LightPicture(file)
        #expect(picture.size == PixelSize(width: 256, height: 64) && picture.levelCount == 1024)
        let difference = picture.difference { x, y in
            Self.grey(CodedTransfer.sRGB.light(Double(4 * x + y / 16) / 1023))
        }
        #expect(difference < Self.step)
        // Resampled, it has levels that eight bits do not have.
        let small = try LightPicture(file, PixelSize(width: 128, height: 32), resizeMode: .exact)
        #expect(small.size == PixelSize(width: 128, height: 32) && small.levelCount > 400)
    }

    @Test("highlights of PQ are above 1, in units of the reference white", arguments: ["pq10.avif", "pq10.heic"])
    func highlights(name: String) throws {
        let picture = try LightPicture(try Self.file(name))
        for (number, light) in [0.5, 5, 20, 100, 203, 406, 1000, 4000].enumerated() {
            // A step of a sample of ten bits is about 1.2 % of the light.
            for x in [32 * number + 8, 32 * number + 24] {
                let color = SIMD4<Double>(picture[x, 32])
                #expect(abs(color.x * 203 / light - 1) < 0.012, "\(light) cd/m² is \(color.x * 203)")
                #expect(abs(color.y - color.x) <= 0.002 * color.x && abs(color.z - color.x) <= 0.002 * color.x)
            }
        }
    }

    @Test("in eight bits they are the same pictures", arguments: ["ramp10", "pq10"])
    func standard(name: String) throws {
        let images = try [".avif", ".heic"].map { ending in
            let file = try Self.file(name + ending)
            let standard = try Renderer().render(
                MemoryByteSource(file), options: RenderOptions(targetSize: .maximum, resizeMode: .none)
            ).bitmap
            let extended = try LightPicture.image(file).bitmap
            #expect(standard.format == .rgb)
            #expect(try #require(Pictures.largestDifference(extended.inStandardRange(), standard)) <= 2)
            return standard
        }
        #expect(try #require(Pictures.largestDifference(images[0], images[1])) <= 1)
    }
}
