import ThumbwheelCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A decoded image, stored row by row from top to bottom. A channel has 8 bits in sRGB, or 16 bits in linear light (see
/// `PixelRange`). A bitmap is immutable, so several owners can share it without a copy.
public final class Bitmap: Sendable {
    /// The channels of a pixel in memory order. The raw values are the numbers of bytes of a pixel.
    public enum PixelFormat: Int, Sendable {
        /// Red, green and blue in sRGB, without alpha; each channel takes one byte.
        case rgb = 3
        /// Red, green and blue in sRGB, and alpha; each channel takes one byte. The colours are not premultiplied by
        /// alpha.
        case rgba = 4
        /// Red, green and blue in linear light, and alpha. Each channel takes two bytes: a half float (IEEE 754
        /// binary16, `Float16`) in the byte order of the processor.
        ///
        /// - The primaries are those of sRGB. The value 1 in all colours is the white of the screen: the white of
        ///   ordinary pictures, and the reference white of 203 cd/m² in PQ and HLG.
        /// - Values above 1 are light brighter than that white, or colours outside sRGB. Light of 1000 cd/m² is 4.93.
        /// - Negative values are colours outside sRGB.
        /// - Alpha goes from 0 to 1, and is 1 in pictures without alpha. The colours are not premultiplied by alpha.
        ///
        /// Other systems call this extended linear sRGB.
        case linearRGBA = 8

        /// The number of bytes of one pixel.
        public var bytesPerPixel: Int { rawValue }
    }

    /// The width and the height in pixels.
    public let size: PixelSize
    /// The channels of each pixel.
    public let format: PixelFormat
    /// The distance in bytes from the start of one row to the start of the next. It is at least the number of bytes
    /// that the pixels of a row take.
    public let bytesPerRow: Int

    /// Whether the pixels lie in memory that a decoder process has filled and sealed, and that is mapped into this
    /// process. Such memory is freed by `munmap`.
    private let isMapped: Bool

    // The pointer is written only inside `init`, before any other code can use the bitmap, and is only read afterwards.
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
        isMapped = false
        pixels = .allocate(byteCount: bytesPerRow * size.height, alignment: 64)
        pixels.initializeMemory(as: UInt8.self, repeating: 0)
        // If `fill` throws, deinit still frees the memory, because all properties are set by now.
        try fill(pixels)
    }

    /// Makes a bitmap of pixels that nobody can change any more.
    ///
    /// - Parameter pages: the rows without gaps, in pages that `munmap` can give back. The bitmap takes them over.
    init(size: PixelSize, format: PixelFormat, mapping pages: UnsafeMutableRawBufferPointer) {
        self.size = size
        self.format = format
        bytesPerRow = size.width * format.bytesPerPixel
        precondition(pages.count == bytesPerRow * size.height, "pages of another size")
        isMapped = true
        pixels = pages
    }

    deinit {
        if isMapped { munmap(pixels.baseAddress!, pixels.count) } else { pixels.deallocate() }
    }

    /// The number of bytes that the pixels take in memory.
    public var byteCount: Int { pixels.count }

    /// Calls `body` with the bytes of all rows; their number is `bytesPerRow` × `size.height`.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(pixels))
    }
}
