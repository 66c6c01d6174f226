#if os(Linux)
import Glibc
import ThumbwheelCore

extension Bitmap {
    /// A bitmap with at least this many bytes stays in the memory that the decoder process has sent. A smaller bitmap
    /// is copied to the heap, because a process can have only a few tens of thousands of mappings.
    private static let minimumMappedByteCount = 512 << 10

    /// Makes a bitmap from sealed memory, which no process can change any more. Nil if the memory does not have the
    /// size of the pixels, or is not sealed.
    convenience init?(size: PixelSize, format: PixelFormat, sealedBy memory: PassedDescriptor) {
        let byteCount = size.width * size.height * format.bytesPerPixel
        guard let pages = SealedPixels.map(memory, byteCount: byteCount) else { return nil }
        guard byteCount < Self.minimumMappedByteCount else {
            self.init(size: size, format: format, mapping: pages)
            return
        }
        self.init(size: size, format: format) { $0.copyMemory(from: UnsafeRawBufferPointer(pages)) }
        munmap(pages.baseAddress!, pages.count)
    }
}
#endif
