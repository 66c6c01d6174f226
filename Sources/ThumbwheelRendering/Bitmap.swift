import ThumbwheelCore

/// A decoded image in sRGB, with 8 bits for each channel and its rows from top to bottom. It is immutable, so that several
/// owners can share it without a copy.
public final class Bitmap: Sendable {
    /// The channels of a pixel in memory order; each channel takes one byte.
    public enum PixelFormat: Int, Sendable {
        /// Red, green and blue, without alpha.
        case rgb = 3
        /// Red, green, blue and alpha; the colours are not premultiplied by alpha.
        case rgba = 4

        /// The number of bytes of one pixel.
        public var bytesPerPixel: Int { rawValue }
    }

    /// The width and the height in pixels.
    public let size: PixelSize
    /// The channels of each pixel.
    public let format: PixelFormat
    /// The distance in bytes from the start of one row to the start of the next. It is at least the number of bytes that
    /// the pixels of a row take.
    public let bytesPerRow: Int

    // The pointer is written only inside `init`, before any other code can hold the bitmap, and is only read afterwards.
    private nonisolated(unsafe) let pixels: UnsafeMutableRawBufferPointer

    /// Makes a bitmap and calls `fill` to write its pixels. All bytes are zero before `fill` runs.
    ///
    /// - Precondition: `size` is not empty.
    /// - Throws: The error of `fill`.
    public init<Failure: Error>(
        size: PixelSize, format: PixelFormat, filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        precondition(!size.isEmpty, "a bitmap of \(size) pixels")
        self.size = size
        self.format = format
        bytesPerRow = size.width * format.bytesPerPixel
        pixels = .allocate(byteCount: bytesPerRow * size.height, alignment: 64)
        pixels.initializeMemory(as: UInt8.self, repeating: 0)
        // If `fill` throws, deinit still frees the memory, because all properties are set by now.
        try fill(pixels)
    }

    deinit {
        pixels.deallocate()
    }

    /// The number of bytes that the pixels take in memory.
    public var byteCount: Int { pixels.count }

    /// Calls `body` with the bytes of all rows; their number is `bytesPerRow` × `size.height`.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(pixels))
    }
}
