import Foundation
import TestSupport
import Testing
import Thumbwheel
import TortureKit

#if os(Linux)
/// A small storm; `make isolation-storm` raises a large one.
@Suite("Very many files that crash their decoders", .takesTurns, .endsHangs)
struct IsolationStormTests {
    private static let decoder = BuiltExecutable.path("PlantedDecoder")

    @Test(
        "no request is lost, and no process is left over",
        .enabled(if: decoder != nil, "PlantedDecoder has not been built"))
    func storm() async {
        // In a process of its own, so that processes and memory of other tests are not taken for the storm's.
        await #expect(processExitsWith: .success) { [decoder = (Self.decoder ?? "") as String] in
            try Self.raise(decoder)
        }
    }

    private static func raise(_ decoder: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "storm-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bitmap = Bitmap(size: PixelSize(width: 60, height: 40), format: .rgb) {
            for index in $0.indices { $0[index] = UInt8(truncatingIfNeeded: index) }
        }
        let encodings: [ImageEncoding] = [.png, .jpeg(quality: 80), .webp(quality: 80)]
        let paths = try encodings.enumerated().map { number, encoding in
            let path = "\(folder)/\(number)"
            try Data(bitmap.encoded(as: encoding)).write(to: URL(filePath: path))
            return path
        }
        var settings = IsolationStorm.Settings(seed: .random(in: 0...UInt64.max), decoder: decoder)
        settings.count = 400
        settings.takesSlowFaults = false
        // None of the faults takes time, so nothing depends on how busy the machine is.
        (settings.renderDuration, settings.endingDuration) = (.seconds(600), .seconds(600))
        print("storm from seed \(settings.seed)")
        let storm = IsolationStorm(paths, settings: settings)
        #expect(storm.fileCount == 3)
        let outcome = try storm.run()
        #expect(outcome.faults == [])
        #expect(outcome.images > 0 && outcome.errors["decoderFailed"] == outcome.planted)
        #expect(outcome.images + outcome.errors.values.reduce(0, +) == settings.count)
        #expect(outcome.decoders.crashed == outcome.planted)
    }
}
#endif
