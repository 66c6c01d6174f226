import FixtureKit
import Foundation
import Testing
import ThumbwheelCore

@testable import ThumbwheelFormats
@testable import ThumbwheelMedia
@testable import ThumbwheelRendering

/// libavcodec's pictures beside libde265's, sample by sample.
@Suite("HEVC decoders") struct HEVCAgreementTests {
    private static let scene = Raster(Scene(seed: 77, subject: .stillLife), width: 250, height: 170)

    /// Compares both decoders' pictures of every tile, thumbnail and alpha of a file.
    ///
    /// - Returns: the number of pictures that were compared.
    private func compare(_ file: [UInt8], isFiltered: Bool = true) throws -> Int {
        let images = try #require(try HEIFImages(reading: MemoryByteSource(file)))
        var count = 0
        for image in [images.picture] + images.thumbnails + [images.alpha].compactMap(\.self)
        where image.coding == .heic {
            for tile in image.tiles {
                let configuration = Array(file[tile.configuration])
                let parsed = try HEVCConfiguration(configuration)
                let data = tile.extents.flatMap { file[$0] }
                let reference = try De265Decoder(parsed, isFiltered: isFiltered)
                let libav = try LibAVDecoder(
                    HEVCParameters(
                        configuration: configuration, codedSize: parsed.sequence.size, isFiltered: isFiltered))
                try data.withUnsafeBytes { data in
                    let (one, other) = (try reference.decode(data), try libav.decode(data))
                    #expect(one.bitsPerSample == other.bitsPerSample && one.subsampling == other.subsampling)
                    #expect(one.isFullRange == other.isFullRange && one.planes.count == other.planes.count)
                    for (one, other) in zip(one.planes, other.planes) {
                        #expect(one.size == other.size)
                        let rowLength = one.size.width * (parsed.sequence.bitsPerSample > 8 ? 2 : 1)
                        let differing = (0..<one.size.height).filter { row in
                            memcmp(
                                one.samples + row * one.bytesPerRow, other.samples + row * other.bytesPerRow,
                                rowLength) != 0
                        }
                        #expect(differing.isEmpty, "\(differing.count) of \(one.size.height) rows differ")
                    }
                }
                count += 1
            }
        }
        return count
    }

    @Test(
        "the samples of both are equal, in every format that phones write",
        arguments: [
            "Q=70", "Q=30", "Q=95,bitdepth=10", "Q=80,subsample-mode=off", "Q=60,bitdepth=10,subsample-mode=off",
        ])
    func generated(_ options: String) throws {
        var picture = TiledPicture()
        picture.options = options
        picture.thumbnailWidth = 96
        let file = try picture.file(Self.scene)
        #expect(try compare(file) == 5)
    }

    @Test("without filters both show the same rougher picture, because no pixel is predicted from a filtered one")
    func unfiltered() throws {
        let file = try TiledPicture().file(Self.scene)
        #expect(try compare(file, isFiltered: false) == 4)
    }

    private static let given = ["Fixtures/library", "Tests/TenBit", "../shared/photos", "../shared/formats"].flatMap {
        folder in
        (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".heic") }.map { folder + "/" + $0 }
    }.sorted()

    @Test(
        "the samples of both are equal in every given file",
        .enabled(if: !given.isEmpty, "there are neither fixtures nor ../shared"), arguments: given)
    func files(_ path: String) throws {
        #expect(try compare([UInt8](Data(contentsOf: URL(fileURLWithPath: path)))) > 0)
    }
}
