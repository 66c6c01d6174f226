import FixtureKit
import Foundation
import Testing
import ThumbwheelCore

@testable import ThumbwheelFormats
@testable import ThumbwheelRendering

/// A picture of twelve tiles of 128 × 128, whose tiles are encoded once for all tests.
enum TiledFixture {
    static let raster = Raster(Scene(seed: 5, subject: .stillLife), width: 500, height: 330)

    // Encoding takes most of the time of the tests.
    private static let tiles = ["hevc", "av1"].reduce(into: [:]) { tiles, codec in
        tiles[codec] = Result { try tiled(codec).tiles(raster) }
    }

    static func tiled(_ codec: String = "hevc") -> TiledPicture {
        var picture = TiledPicture()
        picture.codec = codec
        return picture
    }

    static func itemFile(_ picture: TiledPicture = tiled()) throws -> ItemFile {
        try picture.itemFile(raster, tiles: #require(tiles[picture.codec]).get())
    }

    static func file(_ picture: TiledPicture = tiled()) throws -> [UInt8] { try itemFile(picture).encoded }

    /// A `clap` property of a size whose middle lies beside that of the picture by an offset. All are fractions.
    static func aperture(
        width: (Int, Int), height: (Int, Int), right: (Int, Int) = (0, 1), down: (Int, Int) = (0, 1)
    ) -> [UInt8] {
        let numbers = [width, height, right, down].flatMap { [$0.0, $0.1] }
        return ItemFile.box("clap", numbers.flatMap { ItemFile.number($0, 4) })
    }

    /// A grey alpha of a size.
    static func alpha(_ width: Int, _ height: Int) -> Raster {
        Raster(
            width: width, height: height, channels: 1, bytes: [UInt8](repeating: 127, count: width * height))
    }
}

/// Runs work on threads of its own.
final class ThreadAssistants: RenderAssistants {
    func start(_ work: @escaping @Sendable (_ isWantedElsewhere: () -> Bool) -> Void) -> Bool {
        Thread.detachNewThread { work { false } }
        return true
    }
}
