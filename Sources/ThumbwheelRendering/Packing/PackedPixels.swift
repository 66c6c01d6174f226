/// The pixels of a bitmap in a compressed form, in which a cache keeps bitmaps that have not been requested lately.
package protocol PackedPixels: Sendable {
    var byteCount: Int { get }

    func unpacked() -> Bitmap
}
