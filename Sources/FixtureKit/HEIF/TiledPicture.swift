/// A photograph as phones write it: a grid of coded tiles, a thumbnail, and metadata that describes more than one item.
package struct TiledPicture: Sendable {
    /// The side of a tile.
    package var tileSide = 128
    /// `hevc` or `av1`.
    package var codec = "hevc"
    package var options = "Q=70"
    /// The width of the thumbnail; nil for none.
    package var thumbnailWidth: Int?
    /// Properties of the grid behind its size, such as its rotation.
    package var properties: [[UInt8]] = []
    /// The alpha, as a grey picture of any size.
    package var alpha: Raster?
    /// Whether the metadata refers to the thumbnail as well, as phones write since 2024. libheif up to 1.17 refuses such
    /// files.
    package var describesTwoItems = false

    package init() {}

    /// The file of a picture.
    package func file(_ raster: Raster) throws(FixtureError) -> [UInt8] {
        try itemFile(raster).encoded
    }

    /// The tiles of a picture, row by row.
    package func tiles(_ raster: Raster) throws(FixtureError) -> [ItemFile.Item] {
        var tiles: [ItemFile.Item] = []
        for y in stride(from: 0, to: raster.height, by: tileSide) {
            for x in stride(from: 0, to: raster.width, by: tileSide) {
                let tile = raster.part(x: x, y: y, side: tileSide)
                tiles.append(try CodedPicture(tile, codec: codec, options: options).item())
            }
        }
        return tiles
    }

    /// The file before it is written.
    ///
    /// - Parameter tiles: those of the picture, if they have been encoded before.
    package func itemFile(_ raster: Raster, tiles: [ItemFile.Item]? = nil) throws(FixtureError) -> ItemFile {
        let columns = (raster.width + tileSide - 1) / tileSide
        let rows = (raster.height + tileSide - 1) / tileSide
        let descriptor =
            [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + ItemFile.number(raster.width, 2)
            + ItemFile.number(raster.height, 2)
        let extent = ItemFile.fullBox("ispe", ItemFile.number(raster.width, 4) + ItemFile.number(raster.height, 4))
        var items = [ItemFile.Item("grid", descriptor, isInline: true, properties: [extent] + properties)]
        if let tiles { items += tiles } else { items += try self.tiles(raster) }
        var references = [ItemFile.Reference("dimg", from: 1, to: Array(2...items.count))]
        if let thumbnailWidth {
            let small = raster.reduced(toWidth: thumbnailWidth)
            items.append(try CodedPicture(small, codec: codec, options: options).item(properties))
            references.append(.init("thmb", from: items.count, to: [1]))
        }
        if let alpha {
            let kind = ItemFile.fullBox("auxC", ItemFile.text("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha") + [0])
            items.append(try CodedPicture(alpha, codec: codec, options: options).item([kind]))
            references.append(.init("auxl", from: items.count, to: [1]))
        }
        if describesTwoItems {
            let block: [UInt8] = [0, 0, 0, 0] + ItemFile.text("MM") + [0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0]
            items.append(ItemFile.Item("Exif", block))
            references.append(.init("cdsc", from: items.count, to: [1, items.count - 1]))
        }
        return ItemFile(brand: codec == "av1" ? "avif" : "heic", items: items, references: references)
    }
}

extension Raster {
    /// A square part; pixels outside repeat the last ones inside.
    func part(x: Int, y: Int, side: Int) -> Raster {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(side * side * channels)
        for row in y..<y + side {
            let start = min(row, height - 1) * width
            for column in x..<x + side {
                let pixel = (start + min(column, width - 1)) * channels
                bytes += self.bytes[pixel..<pixel + channels]
            }
        }
        return Raster(width: side, height: side, channels: channels, bytes: bytes)
    }

    /// A smaller picture of the pixels nearest to its own.
    func reduced(toWidth newWidth: Int) -> Raster {
        let newHeight = max(1, height * newWidth / width)
        var bytes: [UInt8] = []
        for row in 0..<newHeight {
            for column in 0..<newWidth {
                let pixel = (row * height / newHeight * width + column * width / newWidth) * channels
                bytes += self.bytes[pixel..<pixel + channels]
            }
        }
        return Raster(width: newWidth, height: newHeight, channels: channels, bytes: bytes)
    }
}
