import ThumbwheelCore

/// The pixels of a bitmap, compressed without loss. Thumbnails of photographs shrink to about 64 % of their size.
///
/// Each sample is predicted as the mean of its left and its upper neighbour. Only the residual, the difference from the
/// prediction, is kept. The residual of green is subtracted from the residuals of red and blue. Residuals are stored in
/// groups of eight. All residuals of a group take as many bits as the largest of them needs. There are no tables and
/// almost no branches, so a thumbnail is unpacked in a third of a millisecond.
package final class PackedBitmap: PackedPixels {
    package let size: PixelSize
    /// The groups of residuals one after the other, followed by 8 zero bytes, because the reader loads 8 bytes at a
    /// time.
    package let bytes: [UInt8]

    package var byteCount: Int { bytes.count }

    /// The number of residuals in a group. All residuals of a group are stored with the same number of bits, and a
    /// 64-bit word holds them together.
    static let groupLength = 8

    /// Compresses a bitmap; nil for bitmaps with alpha, and for bitmaps that would not become smaller.
    package init?(_ bitmap: Bitmap) {
        guard bitmap.format == .rgb else { return nil }
        size = bitmap.size
        let rows = ResidualRows(width: size.width)
        // In the worst case, each sample takes eight bits, and each group one more byte for the number of bits. The
        // writer stores whole words, so it needs room for one more word after the last group.
        let room = size.height * rows.groupCount * (Self.groupLength + 1) + Self.groupLength
        bytes = [UInt8](unsafeUninitializedCapacity: room) { target, count in
            bitmap.withUnsafeBytes { source in
                var writer = GroupWriter(target)
                for y in 0..<bitmap.size.height {
                    rows.fill(fromRow: y, of: source)
                    rows.write(to: &writer)
                }
                // Adds 8 zero bytes after the last group, because the reader loads 8 bytes at a time.
                count = writer.count + Self.groupLength
                for index in writer.count..<count { target[index] = 0 }
            }
        }
        guard bytes.count < bitmap.byteCount else { return nil }
    }

    /// Makes a packed bitmap from the `bytes` of an earlier one, for example after they were stored in a file. Nil if
    /// the bytes do not have exactly the structure that an image of `size` needs: a fixed number of groups of eight
    /// residuals.
    ///
    /// - Complexity: linear in the number of groups.
    package init?(size: PixelSize, bytes: [UInt8]) {
        guard !size.isEmpty, size.width <= 1 << 24, size.height <= 1 << 24 else { return nil }
        let groupsOfRow = (size.width + Self.groupLength - 1) / Self.groupLength * 3
        var offset = 0
        // Each group takes at least one byte, so there cannot be more groups than bytes. This check keeps a wrong size
        // from causing a long loop.
        guard groupsOfRow * size.height < bytes.count else { return nil }
        for _ in 0..<groupsOfRow * size.height {
            guard offset < bytes.count - Self.groupLength, bytes[offset] <= 8 else { return nil }
            offset += 1 + Int(bytes[offset])
        }
        guard offset == bytes.count - Self.groupLength else { return nil }
        self.size = size
        self.bytes = bytes
    }

    package func unpacked() -> Bitmap {
        Bitmap(size: size, format: .rgb) { target in
            bytes.withUnsafeBytes { source in
                let rows = ResidualRows(width: size.width)
                var reader = GroupReader(source)
                for y in 0..<size.height {
                    rows.read(from: &reader)
                    rows.restore(row: y, of: target)
                }
            }
        }
    }
}
