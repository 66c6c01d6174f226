import FixtureKit
import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelMedia

/// Exports whose frames are copied, beside what ffprobe and ffmpeg say of the new files.
@Suite(
    "Exports", .enabled(if: ClipPicture.maker != nil, "the command ffmpeg is not installed"),
    .takesTurns, .endsHangs)
struct ExportTests {
    @Test("copied frames and sound are the same to the last bit, in every container that holds them")
    func copies() async {
        await #expect(processExitsWith: .success) { try await Self.compareCopies() }
    }

    private static func compareCopies() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        for (name, types) in [
            ("h264.mp4", [ContentType.mp4, .quickTime, .matroska]), ("right.mov", [.mp4]),
            ("h264.mkv", [.mp4, .quickTime]), ("vp9.webm", [.webM, .matroska, .mp4]), ("hdr.mov", [.mp4, .matroska]),
            ("fragments.mp4", [.mp4]), ("mpeg4.avi", [.quickTime, .matroska]),
        ] {
            guard let clip = try ClipPicture(named: name, in: folder) else { continue }
            let (manager, session) = try await ExportFixture.session(clip.path)
            let old = try ExportFixture.contents(clip.path)
            for type in types {
                let path = folder.path + "/new." + (type.filenameExtension ?? "")
                let report = try await session.export(toFile: path, options: ExportOptions { $0.contentType = type })
                let new = try ExportFixture.contents(path)
                #expect(new.head.contentType == type && new.isIndexInFront, "\(name) as \(type)")
                #expect(new.tracks.map(\.codec) == old.tracks.map(\.codec), "\(name) as \(type)")
                #expect(new.head.displaySize == old.head.displaySize, "\(name) as \(type): \(new.head)")
                #expect(new.head.orientation == old.head.orientation)
                #expect(abs(new.head.duration - old.head.duration) < 0.1, "\(new.head.duration)")
                #expect(report.byteCount == (try FileByteSource(path: path)).byteCount && report.droppedTracks.isEmpty)
                #expect(report.codedSize == old.head.codedSize)
                // Packets of H.264 and HEVC have the same form in all of these containers.
                if name != "mpeg4.avi" {
                    #expect(try ExportFixture.sums(path) == ExportFixture.sums(clip.path), "\(name) as \(type)")
                }
            }
            await manager.shutdown()
        }
    }

    @Test("metadata is kept, or dropped but for what players need")
    func metadata() async {
        await #expect(processExitsWith: .success) { try await Self.compareMetadata() }
    }

    private static func compareMetadata() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        for name in ["h264.mp4", "live.mov", "cover.mp4", "right.mov"] {
            guard let clip = try ClipPicture(named: name, in: folder) else { continue }
            let (manager, session) = try await ExportFixture.session(clip.path)
            let old = try ExportFixture.contents(clip.path).head
            let type: ContentType = name.hasSuffix("mov") ? .quickTime : .mp4
            for keeps in [true, false] {
                let path = folder.path + "/new.mp4"
                try await session.export(
                    toFile: path,
                    options: ExportOptions {
                        $0.keepsMetadata = keeps
                        $0.contentType = type
                    })
                let new = try ExportFixture.contents(path).head
                #expect(
                    new.captureDate == (keeps ? old.captureDate : nil),
                    "\(name): \(String(describing: new.captureDate))")
                #expect((new.location == nil) == (!keeps || old.location == nil), "\(name)")
                #expect(new.contentIdentifier == (keeps ? old.contentIdentifier : nil))
                #expect((new.cover == nil) == (!keeps || old.cover == nil), "\(name)")
                #expect(new.orientation == old.orientation && new.displaySize == old.displaySize)
                if !keeps {
                    let bytes = try FileByteSource(path: path).bytes()
                    for word in ["2023", "Lavf", "CLIP-LIVE", "48.2085"] {
                        #expect(bytes.firstRange(of: Array(word.utf8)) == nil, "\(word) in \(name)")
                    }
                }
            }
            await manager.shutdown()
        }
    }

    @Test("the index is in front only if it is wanted there")
    func index() async {
        await #expect(processExitsWith: .success) { try await Self.moveIndex() }
    }

    private static func moveIndex() async throws {
        VideoExporting.install()
        let folder = try ScratchFolder()
        guard let clip = try ClipPicture(named: "h264.mp4", in: folder) else { return }
        let (manager, session) = try await ExportFixture.session(clip.path)
        for startsEarly in [true, false] {
            let path = folder.path + "/new.mp4"
            try await session.export(toFile: path, options: ExportOptions { $0.startsEarly = startsEarly })
            #expect(try ExportFixture.contents(path).isIndexInFront == startsEarly)
            #expect(try ExportFixture.sums(path) == ExportFixture.sums(clip.path))
        }
        await manager.shutdown()
    }
}
