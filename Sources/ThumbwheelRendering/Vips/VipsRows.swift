import CVips

extension VipsHandle {
    /// The number of rows that are computed at once. The sequential readers of libvips work in strips of 16 rows.
    private static let bandHeight = 16

    /// The outcome of computing rows in order.
    enum RowsEnd {
        case complete
        /// The decode was cancelled or ran out of time before `row`, with the given error.
        case interrupted(row: Int, RenderError)
        /// libvips failed to compute `row`, or a row in the band that begins there.
        case failed(row: Int)
    }

    /// Computes the given rows on this thread, band by band, and hands them to `body` in order.
    func forEachRow(
        in rows: Range<Int>, checking guardian: DecodeGuard, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> RowsEnd {
        guard let region = vips_region_new(image) else { return .failed(row: rows.lowerBound) }
        defer { g_object_unref(region) }
        let height = height
        var top = rows.lowerBound
        while top < rows.upperBound {
            if let interruption = guardian.interruption { return .interrupted(row: top, interruption) }
            // Bands have the same borders as the strips of libvips's readers, so that no strip is read twice.
            let bottom = min(rows.upperBound, height, (top / Self.bandHeight + 1) * Self.bandHeight)
            var rect = VipsRect(left: 0, top: Int32(top), width: Int32(width), height: Int32(bottom - top))
            guard bottom > top, vips_region_prepare(region, &rect) == 0, let data = region.pointee.data else {
                return .failed(row: top)
            }
            // libvips may have computed a larger area than the requested rectangle `rect`, and keeps that area in
            // `region`. So the starts of neighbouring rows are `bpl` bytes apart, which may be more than the length of
            // the rectangle's rows.
            let stride = Int(region.pointee.bpl)
            var row = data + (top - Int(region.pointee.valid.top)) * stride
            row -= Int(region.pointee.valid.left) * bands
            for _ in top..<bottom {
                body(row)
                row += stride
            }
            top = bottom
        }
        return .complete
    }
}
