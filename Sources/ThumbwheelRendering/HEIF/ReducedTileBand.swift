import ThumbwheelCore

/// The samples of a row of tiles, reduced tile by tile to means of blocks. The blocks of a tile must not reach into
/// other tiles.
///
/// The class is `@unchecked Sendable`. Several threads write to it, each thread only to the columns of its own tiles.
/// The samples are read only after every tile has been counted as done under the lock of `TileRun`.
final class ReducedTileBand: TileBand, @unchecked Sendable {
    private let layout: TileLayout
    private let blocks: [PixelSize]
    private let ranges: [SampleRange]
    private let needed: [Range<Int>]
    private let planes: [Plane]

    private final class Plane {
        let memory: AlignedPlane<PlaneSample>
        init(_ memory: consuming AlignedPlane<PlaneSample>) { self.memory = memory }
    }

    /// The number of samples after a row that are equal to its last sample. Consumers read them.
    private static let repeatedCount = 16

    /// - Parameters:
    ///   - blocks: for each of the decoder's planes, the size of the block of samples that is averaged into one sample.
    ///   - ranges: for each plane, the range of its samples.
    ///   - needed: for each plane, the columns of reduced samples that are needed. Other columns have any values.
    /// - Returns: nil if samples are not reduced at all, or if blocks reach over the borders of tiles.
    init?(_ layout: TileLayout, blocks: [PixelSize], ranges: [SampleRange], needed: [Range<Int>]) {
        for (plane, block) in blocks.enumerated() {
            let tile = layout.tileSize(ofPlane: plane)
            guard blocks[0].width > 1, blocks[0].height > 1,
                layout.columnCount == 1 || tile.width % block.width == 0,
                layout.rowCount == 1 || tile.height % block.height == 0
            else { return nil }
        }
        self.layout = layout
        self.blocks = blocks
        self.ranges = ranges
        self.needed = needed
        planes = blocks.enumerated().map { plane, block in
            let (size, tile) = (layout.planeSizes[plane], layout.tileSize(ofPlane: plane))
            return Plane(
                AlignedPlane(
                    pitch: (size.width + block.width - 1) / block.width + 2 * Self.repeatedCount,
                    rowCount: (min(tile.height, size.height) + block.height - 1) / block.height))
        }
    }

    func put(_ picture: DecodedPicture, atRow row: Int, column: Int) throws(RenderError) {
        guard layout.admits(picture) else { throw .malformed(reason: "a tile that is not like the others") }
        for (index, source) in picture.planes.enumerated() {
            put(plane: index, atRow: row, column: column) { source.samples + $0 * source.bytesPerRow }
        }
    }

    func putGrey(atRow row: Int, column: Int) {
        let grey = layout.greyRow(width: layout.tileSize(ofPlane: 0).width)
        for index in planes.indices {
            put(plane: index, atRow: row, column: column) { _ in UnsafeRawPointer(grey.bytes) }
        }
    }

    /// Reduces the part of a tile's plane that lies inside the image.
    @inline(__always)
    private func put(plane: Int, atRow row: Int, column: Int, _ samples: (_ row: Int) -> UnsafeRawPointer) {
        let (size, tile, block) = (layout.planeSizes[plane], layout.tileSize(ofPlane: plane), blocks[plane])
        let width = min(tile.width, size.width - column * tile.width)
        let height = min(tile.height, size.height - row * tile.height)
        guard width > 0, height > 0 else { return }
        let start = column * tile.width / block.width
        let count = (width + block.width - 1) / block.width
        let own = (needed[plane].lowerBound - start..<needed[plane].upperBound - start).clamped(to: 0..<count)
        guard !own.isEmpty else { return }
        let reducer = SampleReducer(
            width: width, columns: block.width, rows: block.height, range: ranges[plane], needed: own)
        // The samples after the last one of the picture repeat it.
        let copied = own.count + (column == layout.columnCount - 1 && own.upperBound == count ? Self.repeatedCount : 0)
        var target = 0
        func store(_ made: UnsafePointer<PlaneSample>) {
            (planes[plane].memory[target] + start + own.lowerBound).update(from: made + own.lowerBound, count: copied)
            target += 1
        }
        let wholeHeight = reducer.takesBlocks ? height / block.height * block.height : 0
        for y in stride(from: 0, to: wholeHeight, by: block.height) { store(reducer.addBlock { samples(y + $0) }) }
        for y in wholeHeight..<height {
            if let made = reducer.add(samples(y), isLast: y == height - 1) { store(made) }
        }
    }

    func pass(to feed: TileFeed, row: Int) {
        feed.feedReducedTileRow(row, rowCount: planes[0].memory.rowCount) { row, plane in
            UnsafePointer(planes[plane].memory[row])
        }
    }
}
