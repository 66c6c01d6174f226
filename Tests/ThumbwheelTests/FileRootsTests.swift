import Foundation
import TestSupport
import Testing
import Thumbwheel

@Suite("Folders that files must lie in") struct FileRootsTests {
    @Test("a file is checked as it is opened: a link that takes its place leads nowhere", .endsHangs)
    func links() async throws {
        let (inside, outside) = (try ScratchFolder(), try ScratchFolder())
        let picture = try Bitmap(size: PixelSize(width: 32, height: 32), format: .rgb) { pixels in
            for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index) }
        }.encoded(as: .png)
        let secret = try outside.write("secret.png", picture)
        let path = try inside.write("photo.png", picture)
        let library = PhotoLibrary()
        try await library.importFolder(at: inside.path)
        let asset = try #require(library.fetchAssets().first)
        let size = PixelSize(width: 16, height: 16)
        func manager(_ roots: [String]) throws -> ImageManager {
            ImageManager.undisturbed {
                $0.workerCount = 1
                $0.keepsRenditions = false
                $0.roots = roots
            }
        }
        let bound = try manager([outside.path + "/other", inside.path])
        _ = try await bound.image(for: asset, targetSize: size)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: secret)
        // Without folders, a file may lie anywhere.
        _ = try await manager([]).image(for: asset, targetSize: size)
        _ = try await manager([inside.path, outside.path]).image(for: asset, targetSize: size)
        await #expect(throws: ImageRequestError.rendering(.source(.notFound(path: path)))) {
            _ = try await bound.image(for: asset, targetSize: size)
        }
    }
}
