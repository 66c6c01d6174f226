import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelLocks
import ThumbwheelPipeline
import ThumbwheelRendering

@Suite("Files that have changed since the library looked at them") struct ChangedFileTests {
    private let folder: ScratchFolder
    private let date = Date(timeIntervalSince1970: 1_000_000_000)
    private let size = PixelSize(width: 16, height: 16)

    init() throws {
        folder = try ScratchFolder()
    }

    /// Writes a file of a length that all files of these tests have, with a date that they have, too.
    private func write(_ name: String, seed: Int, date: Date? = nil) throws -> String {
        let picture = try Bitmap(size: PixelSize(width: 32, height: 32), format: .rgb) { pixels in
            for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index &* seed) }
        }.encoded(as: .jpeg(quality: 90))
        // Bytes behind the end of a JPEG mean nothing.
        let path = try folder.write(name, picture + Array(repeating: 0, count: 8192 - picture.count))
        try setDate(date ?? self.date, of: path)
        return path
    }

    private func setDate(_ date: Date, of path: String) throws {
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    private func library() async throws -> PhotoLibrary {
        let library = PhotoLibrary()
        try await library.importFolder(at: folder.path + "/photos")
        return library
    }

    private func manager(refuses: Bool, renderer: (any RenditionRenderer)? = nil) -> ImageManager {
        ImageManager(
            configuration: ImageManager.Configuration {
                $0.workerCount = 1
                $0.watchesMemory = false
                $0.keepsRenditions = false
                $0.refusesChangedFiles = refuses
                // A test may be kept waiting on a busy machine.
                $0.limits.duration = .seconds(86_400)
            }, renderer: renderer, recordsRenders: false)
    }

    /// Whether an image of the library's only photograph is made. If not, its file must count as missing.
    private func isShown(_ library: PhotoLibrary, refuses: Bool = true) async throws -> Bool {
        let asset = try #require(library.fetchAssets().first)
        do {
            _ = try await manager(refuses: refuses).image(for: asset, targetSize: size)
            return true
        } catch {
            #expect(error == .rendering(.source(.notFound(path: folder.path + "/photos/photo.jpg"))))
            return false
        }
    }

    @Test("a link to another file of the same length and date shows nothing of it", .endsHangs)
    func links() async throws {
        let path = try write("photos/photo.jpg", seed: 1)
        let secret = try write("secret.jpg", seed: 2)
        let library = try await library()
        #expect(try await isShown(library))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: secret)
        #expect(try await isShown(library, refuses: false))
        #expect(try await !isShown(library))
    }

    @Test("a copy of the same bytes and date is the file that it stands for, wherever on the disk it lies", .endsHangs)
    func copies() async throws {
        let path = try write("photos/photo.jpg", seed: 1)
        let copy = try write("copy.jpg", seed: 1)
        let library = try await library()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: copy, toPath: path)
        #expect(try await isShown(library))
    }

    @Test("a file that was written again is shown once the library has looked at it", .endsHangs)
    func rewritten() async throws {
        _ = try write("photos/photo.jpg", seed: 1)
        let library = try await library()
        _ = try write("photos/photo.jpg", seed: 2, date: date + 1)
        #expect(try await isShown(library, refuses: false))
        #expect(try await !isShown(library))
        try await library.importFolder(at: folder.path + "/photos")
        #expect(try await isShown(library))
    }

    /// Does something in the middle of each render, when that asks for help with a large photograph.
    private struct InterruptedRenderer: RenditionRenderer {
        private struct Interruption: RenderAssistants {
            let body: @Sendable () -> Void

            func start(_ work: @escaping @Sendable (_ isWantedElsewhere: () -> Bool) -> Void) -> Bool {
                body()
                return false
            }
        }

        let renderer: AssetRenderer
        let body: @Sendable () -> Void

        func render(_ assignment: RenderAssignment, with assistants: any RenderAssistants) -> RenderOutcome {
            renderer.render(assignment, with: Interruption(body: body))
        }
    }

    @Test("a file that is written while an image is made of it gives no image", .endsHangs, arguments: [false, true])
    func writtenMeanwhile(_ refuses: Bool) async throws {
        // Noise, and more than a megabyte of it: a photograph with which other threads are asked to help.
        let noise = try Bitmap(size: PixelSize(width: 1100, height: 1000), format: .rgb) { pixels in
            var state: UInt64 = 1
            for index in pixels.indices {
                state = state &* 6_364_136_223_846_793_005 &+ 1
                pixels[index] = UInt8(truncatingIfNeeded: state >> 56)
            }
        }.encoded(as: .jpeg(quality: 90))
        let path = try folder.write("photos/photo.jpg", noise)
        let library = try await library()
        let asset = try #require(library.fetchAssets().first)
        let count = Mutex(0)
        let renderer = InterruptedRenderer(
            renderer: AssetRenderer(
                limits: RenderLimits(duration: .seconds(86_400)), refusesChangedFiles: refuses)
        ) { [date] in
            count.withLock { $0 += 1 }
            try? FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        }
        let manager = manager(refuses: refuses, renderer: renderer)
        let options = ImageRequestOptions { $0.deliveryMode = .highQuality }
        if refuses {
            await #expect(throws: ImageRequestError.rendering(.source(.notFound(path: path)))) {
                _ = try await manager.image(for: asset, targetSize: size, options: options)
            }
        } else {
            _ = try await manager.image(for: asset, targetSize: size, options: options)
        }
        #expect(count.withLock { $0 } == 1)
    }
}
