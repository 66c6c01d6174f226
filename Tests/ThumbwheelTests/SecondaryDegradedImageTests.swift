import FixtureKit
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelCore

/// The second degraded image of local photographs, through the manager.
@Suite("The second degraded image", .endsHangs)
struct SecondaryDegradedImageTests {
    private static let raster = Raster(Scene(seed: 5, subject: .landscape), width: 2400, height: 1800)
    private static let progressive = Result { try photograph(isProgressive: true) }
    private static let baseline = Result { try photograph(isProgressive: false) }

    private static func photograph(isProgressive: Bool) throws -> [UInt8] {
        let jpeg = try JPEGEncoder(quality: 90, isProgressive: isProgressive).encode(raster)
        let preview = try JPEGEncoder(quality: 80).encode(raster.reduced(toWidth: 160, height: 120))
        return JPEGSegments.inserting([.exif(ExifBlock(make: "A", preview: preview))], into: jpeg, dropsJFIF: true)
    }

    private let manager = ImageManager.undisturbed { $0.workerCount = 1 }

    // A small decode of a baseline file reads all of its bytes as well, and so comes hardly sooner than the final image.
    @Test(
        "a decode at an eighth comes between the preview and the final image, if the host allows it and it comes soon",
        arguments: [false, true], [false, true])
    func smallDecode(isAllowed: Bool, isProgressive: Bool) async throws {
        let bytes = try (isProgressive ? Self.progressive : Self.baseline).get()
        let asset = try Asset(
            reading: .bytes(bytes), identifier: AssetIdentifier(high: 1, low: 1), originalFilename: "a.jpg")
        let log = ResultLog()
        manager.requestImage(
            for: asset, targetSize: PixelSize(width: 220, height: 220),
            options: ImageRequestOptions {
                $0.resizeMode = .exact
                $0.allowSecondaryDegradedImage = isAllowed
            }, resultHandler: log.handler())
        await log.waitForEnds()
        let second = isAllowed && isProgressive ? [ResultLog.Entry.degraded(side: 220)] : []
        #expect(log.entries() == [.degraded(side: 160)] + second + [.final(side: 220)])
        #expect(log.violations == [])
    }
}
