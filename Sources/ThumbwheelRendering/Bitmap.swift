import ThumbwheelCore

/// A decoded image: sRGB, 8 bits a channel, rows from the top. Immutable, so that its owners share it without a copy.
public final class Bitmap: Sendable {
    /// The channels of a pixel, in memory order, one byte each.
    public enum PixelFormat: Int, Sendable {
        /// Red, green, blue.
        case rgb = 3
        /// Alpha is not premultiplied.
        case rgba = 4

        /// The bytes of one pixel.
        public var bytesPerPixel: Int { rawValue }
    }

    /// The width and the height in pixels.
    public let size: PixelSize
    /// The channels of a pixel.
    public let format: PixelFormat
    /// The distance in bytes from the start of one row to that of the next; at least the pixels of a row.
    public let bytesPerRow: Int

    // The pointer is written only inside `init`, before anyone else can hold the object, and read-only afterwards.
    private nonisolated(unsafe) let pixels: UnsafeMutableRawBufferPointer

    /// Makes a bitmap whose pixels `fill` writes; they are zero before it runs.
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
        // A throwing `fill` runs deinit, for all properties are set by now.
        try fill(pixels)
    }

    deinit {
        pixels.deallocate()
    }

    /// Bytes of memory that the pixels take.
    public var byteCount: Int { pixels.count }

    /// Calls `body` with all rows: `bytesPerRow` × `size.height` bytes.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(pixels))
    }
}
