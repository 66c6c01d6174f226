import FixtureKit
import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelMedia

/// Sessions of exports, and looks at the files that they write.
enum ExportFixture {
    /// A session for a video, and the manager that has it.
    static func session(
        _ source: AssetResource.Source, _ preset: ExportPreset = .unchanged
    ) async throws -> (manager: ImageManager, session: ExportSession) {
        let manager = ImageManager.undisturbed {
            $0.workerCount = 1
            $0.memoryBudget = 1 << 28
        }
        let asset = try Asset(
            reading: AssetResource(type: .video, source: source), identifier: .random(), originalFilename: "a.mov")
        let options = VideoRequestOptions { $0.isNetworkAccessAllowed = true }
        return (manager, try await manager.exportSession(for: asset, preset: preset, options: options))
    }

    static func session(
        _ path: String, _ preset: ExportPreset = .unchanged
    ) async throws -> (manager: ImageManager, session: ExportSession) {
        try await session(.file(path: path), preset)
    }

    /// The sums of the packets of a file's streams, one line for each stream.
    static func sums(_ path: String, streams: String = "0") throws -> String {
        String(
            decoding: try ClipMaker.output(
                try #require(ClipMaker.path(of: "ffmpeg")),
                ["-loglevel", "error", "-nostdin", "-i", path, "-map", streams, "-c", "copy"]
                    + ["-bsf:v", "null", "-f", "streamhash", "-hash", "md5", "-"]), as: UTF8.self)
    }

    static func contents(_ path: String) throws -> VideoContents {
        try VideoContents(reading: FileByteSource(path: path))
    }

    static func names(_ folder: ScratchFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    /// The mean difference of two pictures' samples, in levels.
    static func difference(_ one: [UInt8], _ other: [UInt8]) -> Double {
        guard one.count == other.count, !one.isEmpty else { return .infinity }
        return zip(one, other).reduce(0) { $0 + abs(Double($1.0) - Double($1.1)) } / Double(one.count)
    }
}

extension ClipPicture {
    /// A file that an export has written.
    init(path: String) throws {
        self.path = path
        source = try FileByteSource(path: path)
    }
}
