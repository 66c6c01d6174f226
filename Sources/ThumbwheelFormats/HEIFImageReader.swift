import ThumbwheelCore

/// Describes images of a HEIF file. Each list of the file is walked once, however many images are described.
struct HEIFImageReader {
    private let kinds: [Int: FourCharacterCode]
    private let parts: [Int: [Int]]
    private let properties: [Int: [HEIFBoxes.Box]]
    private let extents: [Int: [Range<Int>]]

    init(_ reader: inout HeadReader, _ items: HEIFItems, images: [Int]) throws(HeadError) {
        kinds = try items.kinds(&reader)
        parts = try items.parts(&reader, of: Set(images))
        let wanted = Set(images + images.flatMap { [parts] in parts[$0] ?? [] })
        properties = try items.properties(&reader, of: wanted)
        extents = try items.extents(&reader, of: wanted)
    }

    /// Returns the image of an item; nil if the item is derived in a way that is not supported.
    func image(_ reader: inout HeadReader, of item: Int) throws(HeadError) -> HEIFImage? {
        let own = properties[item] ?? []
        var facts = try HEIFPicture(&reader, own)
        var (columnCount, tileItems) = (1, [item])
        let canvas = facts.storedSize
        if kinds[item] == "grid" {
            guard let grid = try grid(&reader, of: item) else { return nil }
            // The memory of a decode is predicted from the size of the item.
            guard grid.size == canvas else {
                throw .malformed(reason: "a grid of \(grid.size) in an item of \(canvas)")
            }
            (columnCount, tileItems) = (grid.columnCount, parts[item] ?? [])
        }
        guard !canvas.isEmpty else { throw .malformed(reason: "an image without a size") }
        guard let coding = tileItems.first.flatMap({ kinds[$0] }).flatMap(HEIFHead.codedType) else { return nil }
        var tiles: [HEIFImage.Tile] = []
        // Thousands of tiles may be the same item, with thousands of properties, so each item is described once.
        var known: [Int: HEIFImage.Tile] = [:]
        for item in tileItems {
            var described = known[item]
            if described == nil { described = try tile(&reader, of: item, coding) }
            guard let described else { return nil }
            known[item] = described
            tiles.append(described)
        }
        var tileSize = canvas
        if tileItems != [item], let first = tileItems.first.flatMap({ properties[$0] }) {
            // If a grid states no colours of its own, those of its tiles count, because early iPhones attach the
            // profile to the tiles.
            let tile = try HEIFPicture(&reader, first)
            facts.takeColors(of: tile)
            tileSize = tile.storedSize
            guard tiles.count % columnCount == 0, Self.covers(canvas, tileSize, columnCount, tiles.count / columnCount)
            else { throw .malformed(reason: "\(tiles.count) tiles of \(tileSize) in \(canvas)") }
        }
        var transform = HEIFTransform(canvas)
        for property in own { try transform.apply(&reader, property) }
        return HEIFImage(
            coding: coding, canvas: canvas, tileSize: tileSize, columnCount: columnCount, tiles: tiles,
            transform: transform, codedColor: facts.codedColor, profile: facts.profile)
    }

    /// Describes the coded picture of an item; nil if it has another coding, or is not supported.
    private func tile(
        _ reader: inout HeadReader, of item: Int, _ coding: ContentType
    ) throws(HeadError) -> HEIFImage.Tile? {
        guard kinds[item].flatMap(HEIFHead.codedType) == coding else { return nil }
        let (kind, properties) = (coding == .avif ? "av1C" : "hvcC" as FourCharacterCode, properties[item] ?? [])
        guard let extents = extents[item], !extents.isEmpty,
            let configuration = properties.first(where: { $0.kind == kind })?.payload
        else { return nil }
        // Only the picture of the last layer is supported, at the usual operating point.
        guard !properties.contains(where: { $0.kind == "lsel" || $0.kind == "a1op" }) else { return nil }
        var tile = HEIFImage.Tile(item: item, extents: extents, configuration: configuration)
        if let layers = properties.first(where: { $0.kind == "a1lx" })?.payload {
            tile.lowerLayers = try Self.lowerLayers(&reader, layers, of: tile.byteCount)
        }
        return tile
    }

    /// Whether every tile lies at least partly inside the canvas, and all tiles together cover the whole canvas.
    private static func covers(_ canvas: PixelSize, _ tile: PixelSize, _ columnCount: Int, _ rowCount: Int) -> Bool {
        func covers(_ side: Int, _ tile: Int, _ count: Int) -> Bool {
            tile > 0 && tile * count >= side && tile * (count - 1) < side
        }
        return covers(canvas.width, tile.width, columnCount) && covers(canvas.height, tile.height, rowCount)
    }

    /// Reads the byte counts of a picture's layers (AV1 Image File Format, 2.3.2.3). If the counts leave no bytes for
    /// the last layer, they are ignored, and the picture is decoded as a whole.
    private static func lowerLayers(
        _ reader: inout HeadReader, _ property: Range<Int>, of byteCount: Int
    ) throws(HeadError) -> [Int] {
        var cursor = HeadCursor(property)
        let width = try cursor.integer(1, from: &reader) & 1 == 0 ? 2 : 4
        var counts: [Int] = []
        var left = byteCount
        for _ in 0..<3 {
            let count = try cursor.integer(width, from: &reader)
            if count == 0 { break }
            guard count < left else { return [] }
            left -= count
            counts.append(count)
        }
        return counts
    }

    /// Reads the descriptor of a grid (ISO/IEC 23008-12, 6.6.2.3.2); nil if it does not lie in one piece. Fails if the
    /// grid does not have all its tiles.
    private func grid(
        _ reader: inout HeadReader, of item: Int
    ) throws(HeadError) -> (size: PixelSize, columnCount: Int)? {
        guard let place = extents[item], place.count == 1 else { return nil }
        var cursor = HeadCursor(place[0])
        try cursor.skip(1)
        let width = try cursor.integer(1, from: &reader) & 1 == 0 ? 2 : 4
        let rowCount = try cursor.integer(1, from: &reader) + 1
        let columnCount = try cursor.integer(1, from: &reader) + 1
        let size = PixelSize(
            width: try cursor.integer(width, from: &reader), height: try cursor.integer(width, from: &reader))
        guard parts[item]?.count == rowCount * columnCount else {
            throw .malformed(reason: "a grid of \(rowCount * columnCount) tiles that has \(parts[item]?.count ?? 0)")
        }
        return (size, columnCount)
    }
}
