import ThumbwheelCore

/// The samples of a row of tiles as the decoder makes them.
///
/// The class is `@unchecked Sendable`. Several threads write to it, each thread only to the columns of its own tiles.
/// The samples are read only after every tile has been counted as done under the lock of `TileRun`.
final class SampleTileBand: TileBand, @unchecked Sendable {
    private let layout: TileLayout
    private let columns: Range<Int>
    private let planes: [Plane]

    private final class Plane {
        let memory: AlignedPlane<UInt8>
        /// The first column of samples in the band, in bytes from the left edge of the picture.
        let start: Int

        init(_ memory: consuming AlignedPlane<UInt8>, start: Int) {
            self.memory = memory
            self.start = start
        }
    }

    /// - Parameter columns: the columns of tiles that are put into the band.
    init(_ layout: TileLayout, columns: Range<Int>) {
        self.layout = layout
        self.columns = columns
        planes = layout.planeSizes.indices.map { plane in
            let size = layout.bandSize(ofPlane: plane, columns: columns)
            return Plane(
                AlignedPlane(pitch: size.width * layout.bytesPerSample, rowCount: size.height),
                start: columns.lowerBound * layout.tileSize(ofPlane: plane).width * layout.bytesPerSample)
        }
    }

    /// The number of bytes of a band.
    static func byteCount(_ layout: TileLayout, columns: Range<Int>) -> Int {
        layout.planeSizes.indices.reduce(0) { sum, plane in
            sum + layout.bandSize(ofPlane: plane, columns: columns).pixelCount * layout.bytesPerSample
        }
    }

    func put(_ picture: DecodedPicture, atRow row: Int, column: Int) throws(RenderError) {
        guard layout.admits(picture) else { throw .malformed(reason: "a tile that is not like the others") }
        for (index, source) in picture.planes.enumerated() {
            forEachRow(ofPlane: index, atColumn: column) { row, target, byteCount in
                target.update(
                    from: source.samples.advanced(by: row * source.bytesPerRow).assumingMemoryBound(to: UInt8.self),
                    count: byteCount)
            }
        }
    }

    func putGrey(atRow row: Int, column: Int) {
        let (bytesPerSample, middle) = (layout.bytesPerSample, layout.middle)
        for index in planes.indices {
            forEachRow(ofPlane: index, atColumn: column) { _, target, byteCount in
                for place in 0..<byteCount {
                    target[place] = UInt8(truncatingIfNeeded: middle >> (8 * (place % bytesPerSample)))
                }
            }
        }
    }

    /// Calls `body` with the number of each row, the place of the tile's samples in it, and their length in bytes.
    /// Parts of the tile that lie outside the picture have no place.
    private func forEachRow(
        ofPlane index: Int, atColumn column: Int, _ body: (Int, UnsafeMutablePointer<UInt8>, Int) -> Void
    ) {
        precondition(columns.contains(column), "a tile outside the band")
        let plane = planes[index]
        let tileByteCount = layout.tileSize(ofPlane: index).width * layout.bytesPerSample
        let start = (column - columns.lowerBound) * tileByteCount
        let byteCount = min(tileByteCount, plane.memory.pitch - start)
        for row in 0..<plane.memory.rowCount { body(row, plane.memory[row] + start, byteCount) }
    }

    /// The samples of one row of a plane. Rows are counted from the band's upper edge. The address is that of the
    /// sample at the left edge of the picture, although the band has only the samples of its own columns.
    private func row(_ row: Int, plane: Int) -> UnsafeRawPointer {
        UnsafeRawPointer(planes[plane].memory[row]) - planes[plane].start
    }
    func pass(to feed: TileFeed, row: Int) { feed.feedTileRow(row) { row, plane in self.row(row, plane: plane) } }
}
