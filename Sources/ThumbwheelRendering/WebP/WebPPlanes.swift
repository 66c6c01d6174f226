import CWebP
import ThumbwheelCore

/// A decode by libwebp's incremental decoder into planes of luma and chroma, and of alpha if it is wanted. In a lossy
/// picture, chroma always has half as many samples in each direction (RFC 6386, section 2).
final class WebPPlanes {
    /// The size of each plane: luma, blueness (Cb), redness (Cr), alpha.
    let sizes: [PixelSize]
    private let samples: HugePageMemory
    private let starts: [Int]
    let stream: WebPStream

    /// The number of bytes that the planes of a picture of a given size take.
    static func byteCount(of size: PixelSize, hasAlpha: Bool = false) -> Int {
        starts(sizes(of: size, hasAlpha: hasAlpha)).last!
    }

    private static func sizes(of size: PixelSize, hasAlpha: Bool) -> [PixelSize] {
        let chroma = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
        return [size, chroma, chroma] + (hasAlpha ? [size] : [])
    }

    /// The offset at which each plane begins, and the offset at which the last plane ends.
    private static func starts(_ sizes: [PixelSize]) -> [Int] {
        sizes.reduce(into: [0]) { $0.append($0.last! + $1.pixelCount) }
    }

    /// - Parameters:
    ///   - hasAlpha: whether there is a plane of alpha. It is opaque if the picture has no alpha.
    ///   - isFiltered: whether libwebp smooths the edges of blocks.
    /// - Returns: nil if libwebp does not start, or if there is no memory for the planes.
    init?(_ size: PixelSize, hasAlpha: Bool = false, isFiltered: Bool) {
        let sizes = Self.sizes(of: size, hasAlpha: hasAlpha)
        let starts = Self.starts(sizes)
        // The planes need not be initialised, because no row is read before it is written.
        guard let samples = HugePageMemory(byteCount: starts.last!) else { return nil }
        let start = samples.start
        let stream = WebPStream { configuration in
            configuration.output.colorspace = hasAlpha ? MODE_YUVA : MODE_YUV
            configuration.output.u.YUVA = WebPYUVABuffer(
                y: start, u: start + starts[1], v: start + starts[2], a: hasAlpha ? start + starts[3] : nil,
                y_stride: Int32(sizes[0].width), u_stride: Int32(sizes[1].width), v_stride: Int32(sizes[2].width),
                a_stride: hasAlpha ? Int32(sizes[3].width) : 0, y_size: sizes[0].pixelCount,
                u_size: sizes[1].pixelCount, v_size: sizes[2].pixelCount, a_size: hasAlpha ? sizes[3].pixelCount : 0)
            configuration.options.bypass_filtering = isFiltered ? 0 : 1
        }
        guard let stream else { return nil }
        self.sizes = sizes
        self.samples = samples
        self.starts = starts
        self.stream = stream
    }

    /// The number of luma rows, from the top, that will not change any more. The chroma of these rows will not change
    /// either.
    var completeRowCount: Int { stream.isComplete ? sizes[0].height : min(stream.rowCount, sizes[0].height) }

    func row(_ index: Int, plane: Int) -> UnsafeRawPointer {
        precondition(index >= 0 && index < sizes[plane].height)
        return UnsafeRawPointer(samples.start + starts[plane] + index * sizes[plane].width)
    }
}
