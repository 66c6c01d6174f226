import FixtureKit
import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelMedia

/// Exports of parts of videos, copied and encoded.
@Suite(
    "Exports of parts", .enabled(if: ClipPicture.maker != nil, "the command ffmpeg is not installed"),
    .takesTurns, .endsHangs)
struct ExportPartTests {
    @Test("a part begins at its key frame and ends at its end; encoded, it begins to the frame")
    func parts() async {
        await #expect(processExitsWith: .success) { try await Self.cutParts() }
    }

    private static func cutParts() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        let pictures = Clip.Pictures(rate: "25", seconds: 8)
        let long = Clip("long.mp4", encoder: "libx264", pictures, ["-g", "50", "-sc_threshold", "0", "-c:a", "aac"])
        guard let clip = try ClipPicture(long, in: folder) else { return }
        let encoded = ExportPreset.h264(fitting: PixelSize(width: 160, height: 160), quality: 18)
        for preset in [ExportPreset.unchanged, encoded] {
            let (manager, session) = try await ExportFixture.session(clip.path, preset)
            for type in [ContentType.mp4, .matroska] {
                let path = folder.path + "/part." + (type.filenameExtension ?? "")
                try await session.export(
                    toFile: path,
                    options: ExportOptions {
                        $0.timeRange = 3..<5
                        $0.contentType = type
                    })
                // Matroska has no edit lists, so frames from the key frame on are shown too.
                let isLonger = preset == .unchanged && type == .matroska
                let seconds = try ExportFixture.contents(path).head.duration
                // Frames that are copied from the end on are those from which others are decoded.
                let surplus = seconds - (isLonger ? 3 : 2)
                #expect(-0.15...(preset == .unchanged ? 0.35 : 0.15) ~= surplus, "\(preset) as \(type): \(seconds)")
                #expect(try ExportFixture.contents(path).tracks.count == 2)
                let picture = try ClipPicture(path: path)
                let first = try picture.reference(width: 80, height: 45)
                // Of the frames around it, the right one is the most alike; it has been reduced twice if it was encoded.
                let start = isLonger ? 2.0 : 3
                let differences = try [-0.12, -0.04, 0, 0.04, 0.12].map { offset in
                    let shown = try clip.reference(width: 80, height: 45, at: start + offset)
                    return (offset, ExportFixture.difference(first, shown))
                }
                let best = differences.min { $0.1 < $1.1 }
                #expect(best?.0 == 0 && best?.1 ?? 9 < 6, "\(preset) as \(type): \(differences)")
                // The last frames of the part may be decoded from one behind it.
                for time in [4.88, 4.92, 4.96] {
                    let made = try picture.reference(width: 80, height: 45, at: time - start)
                    let shown = try clip.reference(width: 80, height: 45, at: time)
                    #expect(ExportFixture.difference(made, shown) < 6, "\(preset) as \(type) at \(time)")
                }
            }
            await manager.shutdown()
        }
    }

    @Test("a part of an AVI file with H.264, whose last frames come without times, is encoded")
    func timeless() async {
        await #expect(processExitsWith: .success) { try await Self.cutTimeless() }
    }

    private static func cutTimeless() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        let pictures = Clip.Pictures(rate: "25", seconds: 4, hasSound: false)
        let made = Clip("timeless.avi", encoder: "libx264", pictures, ["-g", "25", "-bf", "2"])
        guard let clip = try ClipPicture(made, in: folder) else { return }
        let (manager, session) = try await ExportFixture.session(
            clip.path, .h264(fitting: PixelSize(width: 160, height: 160), quality: 18))
        let path = folder.path + "/part.mp4"
        // The part reaches over the end, where the decoder gives up the frames that it holds.
        for range in [0.0..<9.0, 2.0..<9.0] {
            try await session.export(toFile: path, options: ExportOptions { $0.timeRange = range })
            let seconds = try ExportFixture.contents(path).head.duration
            #expect(abs(seconds - (4 - range.lowerBound)) < 0.2, "\(range): \(seconds)")
        }
        await manager.shutdown()
    }
}
