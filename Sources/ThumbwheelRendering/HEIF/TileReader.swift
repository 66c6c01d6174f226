import ThumbwheelCore
import ThumbwheelFormats

/// Reads and decodes tiles of an image. It keeps one decoder, and makes a new decoder if a tile has another decoder
/// configuration than the tile before.
final class TileReader {
    private let bytes: any ByteSource
    private let image: HEIFImage
    private let name: RenderedImage.Decoder
    private let isFiltered: Bool
    private let layers: LayerChoice
    private let limits: RenderLimits
    private var decoder: (configuration: [UInt8], decoder: any PictureDecoder)?

    /// The largest decoder configuration that is accepted, in bytes. Configurations in real files have a few hundred
    /// bytes.
    private static let configurationLimit = 64 << 10

    init(
        _ bytes: any ByteSource, _ image: HEIFImage, _ options: TiledDecode.Options, limits: RenderLimits
    ) {
        name = options.name
        self.bytes = bytes
        self.image = image
        isFiltered = options.isFiltered
        layers = options.layers
        self.limits = limits
    }

    /// Decodes the tile at an index. The picture is valid until the next tile is decoded.
    func picture(_ index: Int) throws(RenderError) -> DecodedPicture {
        let tile = image.tiles[index]
        let decoder = try decoder(for: tile)
        // Extents of a file may overlap, so that a small file has hundreds of megabytes of them. No encoder writes such.
        guard tile.byteCount <= bytes.byteCount else { throw .truncated(decodedFraction: 0) }
        guard tile.byteCount <= limits.byteCount else { throw .limitExceeded(limit: .bytes) }
        guard tile.byteCount <= Self.codedByteLimit(of: image.tileSize) else {
            throw .malformed(reason: "\(tile.byteCount) bytes for a picture of \(image.tileSize)")
        }
        if !tile.lowerLayers.isEmpty { return try layer(of: tile, by: decoder) }
        let data = try read(tile.extents)
        return try data.span.bytes.withUnsafeBytes { data throws(RenderError) in try decoder.decode(data) }
    }

    /// The most bytes that a coded picture of a size may have. They are in memory while the picture is decoded, and are
    /// part of the predicted memory. Coding without loss takes about as many bytes as the samples, six for each pixel at
    /// most. A head may state any size for a tile, so the number of pixels is bounded first: no limit allows as many.
    static func codedByteLimit(of size: PixelSize) -> Int { min(size.pixelCount, 1 << 50) * 6 + (1 << 20) }

    /// Decodes the layers of a picture one after the other, up to the first layer that is enough for the request.
    private func layer(of tile: HEIFImage.Tile, by decoder: any PictureDecoder) throws(RenderError) -> DecodedPicture {
        var (rest, isFirst) = (tile.extents[...], true)
        for byteCount in tile.lowerLayers + [.max] {
            var data: [UInt8] = []
            while data.count < byteCount, let extent = rest.popFirst() {
                let part = extent.prefix(byteCount - data.count)
                data += try read(part.lowerBound..<part.upperBound)
                if part.upperBound < extent.upperBound {
                    rest.insert(part.upperBound..<extent.upperBound, at: rest.startIndex)
                }
            }
            let picture = try data.span.bytes.withUnsafeBytes { data throws(RenderError) in
                try isFirst ? decoder.decode(data) : decoder.decodeNextLayer(data)
            }
            if rest.isEmpty || layers.isEnough(picture.planes[0].size, of: image.canvas) { return picture }
            isFirst = false
        }
        throw .malformed(reason: "layers without a last one")
    }

    private func decoder(for tile: HEIFImage.Tile) throws(RenderError) -> any PictureDecoder {
        guard tile.configuration.length <= Self.configurationLimit else {
            throw .malformed(reason: "a decoder configuration of \(tile.configuration.length) bytes")
        }
        let configuration = try read(tile.configuration)
        if let decoder, decoder.configuration == configuration { return decoder.decoder }
        let made = try PictureDecoders.make(
            name, configuration: configuration, size: image.tileSize, hasLayers: !tile.lowerLayers.isEmpty,
            isFiltered: isFiltered)
        decoder = (configuration, made)
        return made
    }

    /// Reads ranges one after the other into one array. Where there is only one, as in most files, nothing is copied.
    private func read(_ ranges: [Range<Int>]) throws(RenderError) -> [UInt8] {
        if ranges.count == 1 { return try read(ranges[0]) }
        let byteCount = ranges.reduce(0) { $0 + $1.length }
        var failure: RenderError?
        let data = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            let target = UnsafeMutableRawBufferPointer(buffer)
            do throws(RenderError) {
                for range in ranges {
                    let end = count + range.length
                    try read(range, into: UnsafeMutableRawBufferPointer(rebasing: target[count..<end]))
                    count = end
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return data
    }

    private func read(_ range: Range<Int>, into buffer: UnsafeMutableRawBufferPointer) throws(RenderError) {
        let count: Int
        do throws(ByteSourceError) {
            count = try bytes.read(into: buffer, at: range.lowerBound)
        } catch {
            throw .source(error)
        }
        guard count == range.length else { throw .truncated(decodedFraction: 0) }
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
