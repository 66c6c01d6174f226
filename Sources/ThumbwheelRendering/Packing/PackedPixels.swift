/// The pixels of a bitmap in a compressed form. A cache uses this form for bitmaps that have not been requested lately.
package protocol PackedPixels: Sendable {
    var byteCount: Int { get }

    func unpacked() -> Bitmap
}
