import ThumbwheelCore
import ThumbwheelFormats

/// Writes the rows of a stored image to their places in the upright image.
///
/// The store points into the caller's memory and is valid only while the caller keeps that memory.
struct OrientedStore {
    let size: PixelSize
    let format: Bitmap.PixelFormat
    private let origin: UnsafeMutableRawPointer
    private let pixelStep: Int
    private let rowStep: Int

    /// - Parameters:
    ///   - size: the size of the stored image, before it is turned upright.
    ///   - pixels: memory for the upright image, whose rows have no padding.
    init(
        _ pixels: UnsafeMutableRawBufferPointer, storedSize size: PixelSize, format: Bitmap.PixelFormat,
        orientation: ImageOrientation
    ) {
        precondition(pixels.count >= size.pixelCount * format.bytesPerPixel, "too little room for \(size) pixels")
        let bytes = format.bytesPerPixel
        let displayRow = orientation.displaySize(of: size).width * bytes
        let lastX = size.width - 1
        let lastY = size.height - 1
        let (pixelStep, rowStep): (Int, Int) =
            switch orientation {
            case .up: (bytes, displayRow)
            case .upMirrored: (-bytes, displayRow)
            case .down: (-bytes, -displayRow)
            case .downMirrored: (bytes, -displayRow)
            case .leftMirrored: (displayRow, bytes)
            case .right: (displayRow, -bytes)
            case .rightMirrored: (-displayRow, -bytes)
            case .left: (-displayRow, bytes)
            }
        // The place of the stored image's first pixel in the memory of the upright image. In that memory, one step to
        // the right in the stored image moves by `pixelStep` bytes, and one step down moves by `rowStep` bytes. If a
        // step is negative, the first pixel lies at the far end of the upright image, so that all steps stay inside the
        // memory.
        let offset = (pixelStep < 0 ? -pixelStep * lastX : 0) + (rowStep < 0 ? -rowStep * lastY : 0)
        self.size = size
        self.format = format
        self.pixelStep = pixelStep
        self.rowStep = rowStep
        origin = pixels.baseAddress! + offset
    }

    /// Stores row `y` of the stored image. Its pixels lie in memory at `row`, without gaps.
    func put(row: UnsafeRawPointer, at y: Int) {
        precondition(y >= 0 && y < size.height, "row \(y) of \(size.height)")
        var target = origin + y * rowStep
        let bytes = format.bytesPerPixel
        if pixelStep == bytes {
            target.copyMemory(from: row, byteCount: size.width * bytes)
        } else if format == .rgb {
            var source = row
            for _ in 0..<size.width {
                target.storeBytes(of: source.loadUnaligned(as: UInt16.self), as: UInt16.self)
                target.storeBytes(of: source.load(fromByteOffset: 2, as: UInt8.self), toByteOffset: 2, as: UInt8.self)
                source += 3
                target += pixelStep
            }
        } else if format == .rgba {
            var source = row
            for _ in 0..<size.width {
                target.storeBytes(of: source.loadUnaligned(as: UInt32.self), as: UInt32.self)
                source += 4
                target += pixelStep
            }
        } else {
            var source = row
            for _ in 0..<size.width {
                target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
                source += 8
                target += pixelStep
            }
        }
    }
}
