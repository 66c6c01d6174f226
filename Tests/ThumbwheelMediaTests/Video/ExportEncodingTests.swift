import FixtureKit
import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelMedia

/// Exports whose frames are encoded anew.
@Suite(
    "Encoded exports", .enabled(if: ClipPicture.maker != nil, "the command ffmpeg is not installed"),
    .takesTurns, .endsHangs)
struct ExportEncodingTests {
    @Test("encoded frames are upright, of the wanted size, and look like those of the video")
    func encoding() async {
        await #expect(processExitsWith: .success) { try await Self.compareEncoded() }
    }

    private static func compareEncoded() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        for (name, width, height) in [
            ("h264.mp4", 160, 90), ("right.mov", 90, 160), ("down.mov", 160, 90), ("wide.mp4", 160, 90),
            ("vp8.webm", 160, 90), ("mjpeg.avi", 160, 90), ("hdr.mov", 160, 90), ("delayed.mp4", 160, 90),
        ] {
            guard let clip = try ClipPicture(named: name, in: folder) else { continue }
            // The sound of the AVI does not fit into MP4.
            let type = name.hasSuffix("avi") ? ContentType.quickTime : .mp4
            let (manager, session) = try await ExportFixture.session(
                clip.path, .h264(fitting: PixelSize(width: 161, height: 161), quality: 12))
            let path = folder.path + "/small.mp4"
            let report = try await session.export(toFile: path, options: ExportOptions { $0.contentType = type })
            let (old, new) = (try ExportFixture.contents(clip.path), try ExportFixture.contents(path))
            #expect(new.head.codec == "h264" && new.head.orientation == .up && new.head.pixelAspect == .square)
            #expect(new.head.codedSize == PixelSize(width: width, height: height), "\(name): \(new.head.codedSize)")
            #expect(report.codedSize == new.head.codedSize && new.tracks.count == old.tracks.count)
            #expect(new.tracks.first?.codecParameter?.hasPrefix("avc1.") == true)
            #expect(abs(new.head.duration - old.head.duration) < 0.15, "\(name): \(new.head.duration)")
            let picture = try ClipPicture(path: path)
            let made = try picture.image(width: width, height: height, at: 0)
            #expect(ClipPicture.difference(made.bitmap, try picture.reference(width: width, height: height)) < 4)
            // Chroma of every other pixel changes the small coloured figures of these clips by several levels, so the
            // frames that are expected go through it too.
            let halved =
                "scale=\(width):\(height):flags=lanczos+accurate_rnd+full_chroma_int+full_chroma_inp,"
                + "format=rgb24,scale=flags=accurate_rnd+full_chroma_int+full_chroma_inp,format=yuv420p,"
            for seconds in [0, 0.5] {
                let shown = try picture.reference(width: width, height: height, at: seconds)
                // High dynamic range is mapped as in frames, which ffmpeg does not do by itself.
                if name == "hdr.mov" {
                    let frame = try clip.image(width: width, height: height, at: 0).bitmap
                    if seconds == 0 { #expect(ClipPicture.difference(frame, shown) < 9, "\(name)") }
                } else {
                    let expected = try clip.reference(width: width, height: height, at: seconds, filters: halved)
                    #expect(
                        ExportFixture.difference(shown, expected) < 6,
                        "\(name) at \(seconds): \(ExportFixture.difference(shown, expected))")
                }
            }
            await manager.shutdown()
        }
    }

    @Test("nothing is enlarged, and sides are even")
    func sizes() async {
        await #expect(processExitsWith: .success) { try await Self.compareSizes() }
    }

    private static func compareSizes() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        guard let clip = try ClipPicture(named: "h264.mp4", in: folder) else { return }
        for (target, width, height) in [
            (PixelSize(width: 1920, height: 1080), 320, 180), (PixelSize(width: 101, height: 1000), 100, 56),
            (PixelSize(width: 1000, height: 33), 58, 32), (PixelSize(width: 1, height: 1), 2, 2), (.maximum, 320, 180),
        ] {
            let (manager, session) = try await ExportFixture.session(clip.path, .h264(fitting: target))
            let report = try await session.export(toFile: folder.path + "/a.mp4")
            #expect(report.codedSize == PixelSize(width: width, height: height), "\(target): \(report.codedSize)")
            await manager.shutdown()
        }
    }
}
