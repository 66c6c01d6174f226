import ThumbwheelCore
import ThumbwheelFormats

extension DecodedPicture {
    /// Returns the field of an interlaced picture that was recorded first: the even rows of each plane (counted from 0)
    /// if `first` is `.topFirst`, and otherwise the odd rows. If a plane has only one row, the even rows are returned
    /// in any case.
    func field(_ first: VideoFrame.FieldOrder) -> DecodedPicture {
        let start = first == .topFirst || planes.contains { $0.size.height < 2 } ? 0 : 1
        return with(
            planes.map { plane in
                Plane(
                    samples: plane.samples + start * plane.bytesPerRow, bytesPerRow: 2 * plane.bytesPerRow,
                    size: PixelSize(width: plane.size.width, height: (plane.size.height + 1 - start) / 2))
            })
    }

    /// The part of the picture that is shown. Its left and upper edges are moved to the edges of chroma samples.
    ///
    /// - Parameters:
    ///   - region: the shown part of the coded frames as the container states it.
    ///   - codedSize: the size of the coded frames as the container states it. The size of this picture may be
    ///     different.
    func cropped(to region: PixelRegion, of codedSize: PixelSize) -> DecodedPicture {
        let luma = planes[0].size
        guard region.size != codedSize, !codedSize.isEmpty, !region.size.isEmpty else { return self }
        func part(_ start: Int, _ length: Int, of coded: Int, in side: Int, step: Int) -> Range<Int> {
            let scale = Double(side) / Double(coded)
            let first = min(side - 1, max(0, Int(Double(start) * scale))) / step * step
            return first..<max(first + 1, min(side, first + Int((Double(length) * scale).rounded())))
        }
        let columns = part(
            region.x, region.size.width, of: codedSize.width, in: luma.width, step: subsampling.width)
        let rows = part(
            region.y, region.size.height, of: codedSize.height, in: luma.height, step: subsampling.height)
        let bytesPerSample = bitsPerSample > 8 ? 2 : 1
        return with(
            planes.enumerated().map { index, plane in
                let step = index == 0 ? PixelSize(width: 1, height: 1) : subsampling
                let (x, y) = (columns.lowerBound / step.width, rows.lowerBound / step.height)
                return Plane(
                    samples: plane.samples + y * plane.bytesPerRow + x * bytesPerSample,
                    bytesPerRow: plane.bytesPerRow,
                    size: PixelSize(
                        width: (columns.count + step.width - 1) / step.width,
                        height: (rows.count + step.height - 1) / step.height))
            })
    }

    private func with(_ planes: [Plane]) -> DecodedPicture {
        DecodedPicture(
            planes: planes, bitsPerSample: bitsPerSample, matrix: matrix, primaries: primaries, transfer: transfer,
            isFullRange: isFullRange, subsampling: subsampling)
    }
}
