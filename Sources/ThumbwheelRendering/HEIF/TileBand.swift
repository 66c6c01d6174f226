import ThumbwheelCore

/// The samples of a row of tiles, assembled from pictures that are decoded one by one.
///
/// The class is `@unchecked Sendable`. Several threads write to it, each thread only to the columns of its own tiles.
/// The samples are read only after every tile has been counted as done under the lock of `TileRun`.
final class TileBand: @unchecked Sendable {
    private let layout: TileLayout
    private let planes: [Plane]

    private final class Plane {
        let memory: AlignedPlane<UInt8>
        init(_ memory: consuming AlignedPlane<UInt8>) { self.memory = memory }
    }

    init(_ layout: TileLayout) {
        self.layout = layout
        planes = layout.planeSizes.indices.map { plane in
            let tile = layout.tileSize(ofPlane: plane)
            return Plane(
                AlignedPlane(
                    pitch: layout.columnCount * tile.width * layout.bytesPerSample, rowCount: tile.height))
        }
    }

    /// Copies the samples of a tile to its place in the band.
    ///
    /// - Throws: `.malformed` if the picture has another format than the first tile, or is smaller than a tile.
    func put(_ picture: DecodedPicture, atColumn column: Int) throws(RenderError) {
        guard layout.admits(picture) else { throw .malformed(reason: "a tile that is not like the others") }
        for (index, plane) in planes.enumerated() {
            let tile = layout.tileSize(ofPlane: index)
            let byteCount = tile.width * layout.bytesPerSample
            let source = picture.planes[index]
            for row in 0..<tile.height {
                (plane.memory[row] + column * byteCount).update(
                    from: source.samples.advanced(by: row * source.bytesPerRow).assumingMemoryBound(to: UInt8.self),
                    count: byteCount)
            }
        }
    }

    /// The samples of one row of a plane. Rows are counted from the band's upper edge.
    func row(_ row: Int, plane: Int) -> UnsafeRawPointer { UnsafeRawPointer(planes[plane].memory[row]) }
}
