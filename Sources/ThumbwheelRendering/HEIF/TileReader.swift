import ThumbwheelCore
import ThumbwheelFormats

/// Reads and decodes tiles of an image. It keeps one decoder, and makes a new one if a tile has another decoder
/// configuration.
final class TileReader {
    private let bytes: any ByteSource
    private let image: HEIFImage
    private let name: RenderedImage.Decoder
    private let isFiltered: Bool
    private let limits: RenderLimits
    private var decoder: (configuration: [UInt8], decoder: any PictureDecoder)?

    /// The largest decoder configuration that is accepted, in bytes. Real ones have a few hundred bytes.
    private static let configurationLimit = 64 << 10

    init(
        _ bytes: any ByteSource, _ image: HEIFImage, by name: RenderedImage.Decoder, isFiltered: Bool,
        limits: RenderLimits
    ) {
        self.name = name
        self.bytes = bytes
        self.image = image
        self.isFiltered = isFiltered
        self.limits = limits
    }

    /// Decodes the tile at an index. The picture is valid until the next tile is decoded.
    func picture(_ index: Int) throws(RenderError) -> DecodedPicture {
        let tile = image.tiles[index]
        let decoder = try decoder(for: tile)
        guard tile.byteCount <= limits.byteCount else { throw .limitExceeded(limit: .bytes) }
        var data: [UInt8] = []
        for extent in tile.extents { data += try read(extent) }
        return try data.span.bytes.withUnsafeBytes { data throws(RenderError) in try decoder.decode(data) }
    }

    private func decoder(for tile: HEIFImage.Tile) throws(RenderError) -> any PictureDecoder {
        guard tile.configuration.length <= Self.configurationLimit else {
            throw .malformed(reason: "a decoder configuration of \(tile.configuration.length) bytes")
        }
        let configuration = try read(tile.configuration)
        if let decoder, decoder.configuration == configuration { return decoder.decoder }
        let made = try PictureDecoders.make(
            name, configuration: configuration, size: image.tileSize, isFiltered: isFiltered)
        decoder = (configuration, made)
        return made
    }

    private func read(_ range: Range<Int>) throws(RenderError) -> [UInt8] {
        let data: [UInt8]
        do throws(ByteSourceError) {
            data = try bytes.bytes(in: range.clamped(to: 0..<max(0, bytes.byteCount)))
        } catch {
            throw .source(error)
        }
        guard data.count == range.length else { throw .truncated(decodedFraction: 0) }
        return data
    }
}
