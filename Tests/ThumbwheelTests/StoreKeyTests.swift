import Foundation
import TestSupport
import Testing

@testable import Thumbwheel

/// The keys by which renditions are kept in stores.
struct StoreKeyTests {
    @Test("of other decoders, or of other versions of them, are other keys")
    func decoders() async throws {
        let scratch = try ScratchFolder()
        let bytes = try Bitmap(size: PixelSize(width: 32, height: 32), format: .rgb) { pixels in
            for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index) }
        }.encoded(as: .jpeg(quality: 90))
        try Data(bytes).write(to: URL(fileURLWithPath: scratch.path + "/1.jpg"))
        let library = PhotoLibrary()
        _ = try await library.importFolder(at: scratch.path)
        let asset = try #require(Array(library.fetchAssets()).first)
        let rendition = RenditionKey(
            subject: RenditionKey.Subject(asset: asset.identifier, contentVersion: 1), kind: .high,
            options: RenderOptions(
                targetSize: PixelSize(width: 16, height: 16), contentMode: .aspectFit, resizeMode: .fast))
        func key(_ decoders: String = DecoderVersions.all) throws -> StoreKey {
            try #require(StoreKey(rendition, of: asset, usesEmbeddedPreviews: true, decoders: decoders))
        }
        #expect(try key() == key())
        #expect(try key("libde265 1.0.11") != key("libde265 1.0.12"))
        #expect(try key() == StoreKey(rendition, of: asset, usesEmbeddedPreviews: true))
    }

    @Test("have the versions of all decoders beside libvips")
    func versions() throws {
        let versions = DecoderVersions.all
        #expect(
            try /libde265 \d+\.\d+.* dav1d \d+\.\d+.* libwebp \d+ HEVC \S+ video \S+/.wholeMatch(in: versions) != nil,
            "\(versions)")
    }
}
